import { expect, test } from "vitest";
import * as z from "zod";
import { examples } from "#test/examples.ts";
import { checkOf, MISFIT } from "../../src/api/replies/compiled-check.ts";
import { operations, platformOperations } from "../../src/wiring/operations.ts";

const WRONG = [undefined, null, "x", "", 0, 1.5, -1, Number.NaN, 2 ** 53, true, [], {}, [null], { id: 1 }];

/** What zod makes of a value, in the terms of the check. */
function byZod(schema: z.ZodType, value: unknown): unknown {
  const parsed = schema.safeParse(value);
  return parsed.success ? parsed.data : MISFIT;
}

/** The record, and it again with each member, at any depth, replaced by each wrong value, or with one too many. */
function* variants(record: unknown): Generator<unknown> {
  yield record;
  if (typeof record !== "object" || record === null) return;
  yield Array.isArray(record) ? [...record, "extra"] : { ...record, extra: 1 };
  for (const [name, member] of Object.entries(record)) {
    const replacements = [...WRONG, ...[...variants(member)].slice(1)];
    for (const other of replacements)
      yield Array.isArray(record) ? record.with(Number(name), other) : { ...record, [name]: other };
  }
}

test.each([...operations, ...platformOperations])("$id is checked exactly as zod would", ({ id, result }) => {
  for (const value of [...WRONG, ...variants(examples.operations.get(id)?.result)]) {
    expect(checkOf(result)(value), JSON.stringify(value)).toEqual(byZod(result, value));
  }
});

test.each([
  ["a format", z.email(), ["a@b.co", "a"]],
  ["a check", z.string().max(1), ["a", "ab"]],
  ["an integer", z.int(), [1, 1.5, 2 ** 53]],
  ["a transform", z.string().transform((text) => text.length), ["abc", 1]],
  ["a default", z.string().default("x"), [undefined, "y"]],
  ["a record", z.record(z.string(), z.string()), [{ a: "b" }, { a: 1 }]],
  ["a strict object", z.strictObject({ a: z.string() }), [{ a: "b" }, { a: "b", c: 1 }]],
  ["a union", z.union([z.string(), z.number()]), ["a", 1, null]],
] as [string, z.ZodType, unknown[]][])("%s is left to zod", (_what, schema, values) => {
  for (const value of values) expect(checkOf(schema)(value)).toEqual(byZod(schema, value));
});
