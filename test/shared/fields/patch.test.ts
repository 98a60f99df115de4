import { expect, expectTypeOf, test } from "vitest";
import * as z from "zod";
import { money } from "#shared/fields/numbers.ts";
import { patchOf } from "#shared/fields/patch.ts";

const patch = patchOf(
  z.object({
    name: z.string().min(1),
    notes: z.string().nullable(),
    price: money(),
    country: z.string().default("IN"),
  }),
);

test("a patch holds the fields that were sent and nothing else", () => {
  expect(patch.parse({ price: 1.5, opening_balance: 5 })).toEqual({ price: 150 });
  expect(patch.parse({ notes: null })).toEqual({ notes: null });
});

test("a field left out is not filled with its default", () => {
  expect(patch.parse({ name: "Asha" })).toEqual({ name: "Asha" });
});

test("a patch that names no accepted field is refused, with the list of accepted fields", () => {
  for (const body of [
    {},
    { opening_balance: 5 },
    { name: undefined },
    [],
    ["name"],
    null,
    "name",
    undefined,
  ]) {
    expect(patch.safeParse(body).error?.issues).toMatchObject([
      {
        path: [],
        params: { code: "no_accepted_fields" },
        message: "Accepted fields: name, notes, price, country",
      },
    ]);
  }
});

test("a wrong value is its field's own problem", () => {
  expect(patch.safeParse({ name: "" }).error?.issues).toMatchObject([{ path: ["name"], code: "too_small" }]);
  expect(patch.safeParse({ price: 1.005 }).error?.issues).toMatchObject([
    { path: ["price"], code: "custom" },
  ]);
});

test("a default hidden below the surface is refused when the patch is declared", () => {
  expect(() => patchOf(z.object({ country: z.string().default("IN").nullable() }))).toThrow("nested default");
});

test("the fields keep their types, and the JSON Schema requires none of them", () => {
  expectTypeOf<z.infer<typeof patch>>().toEqualTypeOf<{
    name?: string | undefined;
    notes?: string | null | undefined;
    price?: number | undefined;
    country?: string | undefined;
  }>();
  const schema = z.toJSONSchema(patch, { io: "input" });
  expect(schema.required).toBeUndefined();
  expect(schema.properties).toMatchObject({ price: { type: "number" }, country: { type: "string" } });
});

test("what stands beside the fields is kept, but names none of them", () => {
  const beside = patchOf(z.object({ name: z.string() }), { expected_version: z.int().optional() });
  expect(beside.parse({ name: "Asha", expected_version: 2 })).toEqual({ name: "Asha", expected_version: 2 });
  expect(beside.safeParse({ expected_version: 2 }).error?.issues).toMatchObject([
    { params: { code: "no_accepted_fields" }, message: "Accepted fields: name" },
  ]);
});
