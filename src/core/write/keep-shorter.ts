import { type Column, sql } from "drizzle-orm";
import type { OutsideCtx } from "../context.ts";
import { scopeProblem } from "../required-scope.ts";
import { refuseWhen } from "./atomic.ts";

/**
 * The statement before a setting of days, and what its refusal means: fewer days erase records, so the key must hold each
 * scope that erases those. As many or more need none of them.
 */
export function refuseShorter(
  { client }: Pick<OutsideCtx, "client">,
  kept: Column,
  days: number | undefined,
  scopes: readonly string[],
) {
  const lacking = scopes.find((scope) => !client.holds(scope));
  if (days === undefined || lacking === undefined) return { guards: [], refusals: {} };
  const isShorter = sql`EXISTS (SELECT 1 FROM ${kept.table} WHERE ${kept} > ${days})`;
  return {
    guards: [refuseWhen(isShorter, "insufficient_scope")],
    refusals: { insufficient_scope: () => scopeProblem([lacking]) },
  };
}
