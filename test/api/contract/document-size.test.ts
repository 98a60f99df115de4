import { expect, test } from "vitest";
import { document } from "#test/api-document.ts";
import { published } from "#test/published.ts";

const errors = Object.values(document.paths).flatMap((methods) =>
  Object.values(methods).flatMap(({ responses }) =>
    Object.entries(responses).filter(([status]) => /^[45]/.test(status)),
  ),
);

test("error replies are components, and no two of them say the same", () => {
  const inline = errors.filter(([, reply]) => !("$ref" in reply));
  expect(inline.map(([status]) => status)).toEqual(["503"]); // That of /ready, which is no problem.
  const { responses } = document.components as { responses: Record<string, { description: string }> };
  const texts = Object.values(responses).map(({ description }) => description);
  expect(new Set(texts).size).toBe(texts.length);
});

type Schema = {
  $ref?: string;
  description?: string;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: Schema | boolean;
} & { [word in "anyOf" | "oneOf" | "allOf"]?: Schema[] };
const { schemas } = document.components as { schemas: Record<string, Schema> };

/** The schemas within a schema that are no members of it. */
function within({ anyOf = [], oneOf = [], allOf = [], items, additionalProperties }: Schema): Schema[] {
  const others = [items, additionalProperties].filter((one) => typeof one === "object");
  return [...anyOf, ...oneOf, ...allOf, ...others];
}

test.each(published)(
  "$file costs at most 3,800 bytes an operation",
  ({ document: { webhooks: _, ...others } }) => {
    const operations = Object.values(others.paths).flatMap(Object.keys);
    expect(operations.length).toBeGreaterThan(300);
    expect(JSON.stringify(others).length / operations.length).toBeLessThanOrEqual(3_800);
  },
);

test("every body and every reply but a file's and a monitor's has a name", () => {
  const contents = Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .filter(({ tags }) => !tags.includes("Health"))
    .flatMap(({ operationId, requestBody, responses }) =>
      [requestBody, ...Object.values(responses)].flatMap((one) =>
        one !== undefined && "content" in one
          ? Object.entries(one.content).map(([type, { schema }]) => ({ operationId, type, schema }))
          : [],
      ),
    );
  const inline = contents.filter(
    ({ type, schema }) => type !== "application/octet-stream" && !("$ref" in schema),
  );
  expect(inline).toEqual([]);
  expect(contents.length).toBeGreaterThan(300);
});

test("no two records or lists of values have one name in a generated client", () => {
  const places = new Map<string, Map<string, string>>();
  const note = (name: string, place: string, value: string) => {
    const key = name.toLowerCase();
    places.set(key, new Map([...(places.get(key) ?? []), [place, value]]));
  };
  // A generator names what is inline by the record and the members that lead to it.
  const walk = (schema: Schema, name: string, place: string): void => {
    if (place !== name && (schema.enum ?? schema.properties) !== undefined)
      note(name, place, JSON.stringify(schema.enum ?? schema));
    for (const one of within(schema)) walk(one, one === schema.items ? `${name}Item` : name, `${place}`);
    for (const [member, one] of Object.entries(schema.properties ?? {}))
      walk(
        one,
        name +
          member
            .split(/[^A-Za-z0-9]+/)
            .map(capitalised)
            .join(""),
        `${place}.${member}`,
      );
  };
  for (const [name, schema] of Object.entries(schemas)) {
    note(name, name, name);
    walk(schema, name, name);
  }
  const shared = [...places.values()].filter((one) => new Set(one.values()).size > 1);
  expect(shared.map((one) => [...one.keys()])).toEqual([]);
});

function capitalised(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
