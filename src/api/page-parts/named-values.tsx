import type { Child } from "hono/jsx";

/** A number does not break, so that it can be read out and copied. */
export type NamedValue = readonly [name: string, value: Child, isNumber?: "number"];

/** Named values, each in the direction of its letters; those without one are left out. */
export function NamedValues({ rows, kind }: { rows: readonly NamedValue[]; kind?: string }) {
  return (
    <dl class={kind}>
      {rows.map(
        ([name, value, isNumber]) =>
          value && (
            <div>
              <dt>{name}</dt>
              <dd class={isNumber} dir="auto">
                {value}
              </dd>
            </div>
          ),
      )}
    </dl>
  );
}
