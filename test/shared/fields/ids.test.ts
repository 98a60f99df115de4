import { expect, test } from "vitest";
import * as z from "zod";
import { idReference, recordId } from "#shared/fields/ids.ts";

const NOT_IDS = [
  "",
  "0",
  "-1",
  "+1",
  "01",
  "1.0",
  "1e3",
  "0x10",
  " 1",
  "1\n",
  "١",
  "9007199254740992",
  "1".repeat(19),
];

test("an id in a path is a string of digits", () => {
  expect(recordId.parse("42")).toBe(42);
  expect(recordId.parse("9007199254740991")).toBe(Number.MAX_SAFE_INTEGER);
  for (const text of NOT_IDS) expect(recordId.safeParse(text).success, text).toBe(false);
});

test("an id in a body is an integer or its digits", () => {
  expect(idReference.parse("42")).toBe(42);
  expect(idReference.parse(42)).toBe(42);
});

test("anything else in a body is an invalid_id", () => {
  for (const value of [...NOT_IDS, 0, -1, 1.5, 2 ** 53, null, true, [1], { id: 1 }]) {
    expect(idReference.safeParse(value).error?.issues).toMatchObject([{ params: { code: "invalid_id" } }]);
  }
});

test("a missing id is reported as missing, and an optional or nullable one may be left out", () => {
  expect(z.object({ id: idReference }).safeParse({}).error?.issues).toMatchObject([
    { code: "invalid_type", path: ["id"] },
  ]);
  expect(z.object({ id: idReference.nullable().optional() }).parse({})).toEqual({});
  expect(idReference.nullable().parse(null)).toBeNull();
});

test("the JSON Schema shows both forms of an id in a body", () => {
  expect(z.toJSONSchema(z.object({ id: idReference }), { io: "input" })).toMatchObject({
    required: ["id"],
    properties: { id: { anyOf: [{ type: "integer" }, { type: "string" }] } },
  });
});
