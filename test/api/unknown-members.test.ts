import { expect, test } from "vitest";
import * as z from "zod";
import type { Operation } from "#api/operations/operation.ts";
import { exampleOf, examples } from "#test/examples.ts";
import { ignoredHeader, refusedMembers, unknownMembers } from "../../src/api/bodies/unknown-members.ts";
import { operations } from "../../src/wiring/operations.ts";

const Line = z.object({ product_id: z.int(), quantity: z.number(), unit_price: z.number().optional() });
const body = z.object({
  name: z.string(),
  amount: z.number(),
  description: z.string().nullable().optional(),
  items: z.array(Line).default([]),
  target: z.union([z.object({ email: z.string() }), z.object({ phone_number: z.string() })]).optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
});
const result = z.object({
  id: z.int(),
  amounts: z.number(),
  items: z.array(Line.extend({ quantities: z.int() })),
});
const sale = { path: "/settings/:company/sales", body, result } as unknown as Operation;
const lead = { ...sale, path: "/leads/:company/capture" };

const operationOf = (id: string) =>
  operations.find((one) => one.id === id) ?? expect.fail(`There is no operation ${id}`);
const refusedIn = (value: unknown, operation = sale) =>
  refusedMembers(operation, unknownMembers(operation, value)).map(({ field, code, message }) => {
    expect(code).toBe("unknown_member");
    return `${field} > ${message.split(" ").at(-1)}`;
  });

test.each([
  ["case", { Amount: 1 }, ["Amount > amount"]],
  [
    "underscores",
    { items: [{ productId: 1 }, { "unit-price": 2 }] },
    ["items[0].productId > product_id", "items[1].unit-price > unit_price"],
  ],
  ["a letter too many", { ammount: 1 }, ["ammount > amount"]],
  ["a letter too few", { items: [{ quantiy: 1 }] }, ["items[0].quantiy > quantity"]],
  ["two letters swapped", { amuont: 1 }, ["amuont > amount"]],
  ["two letters of a word of nine", { descritpon: "x" }, ["descritpon > description"]],
  [
    "each alternative of a union",
    { target: { emial: "x", phone_numbr: "y" } },
    ["target.emial > email", "target.phone_numbr > phone_number"],
  ],
])("a member that is nearly a known one is refused, and named: %s", (_, value, expected) => {
  expect(refusedIn(value)).toEqual(expected);
});

test.each([
  ["one letter of a word of four", { nam: "x" }],
  ["two letters of a word of eight", { items: [{ quanityy: 1 }] }],
  ["another word", { colour: "red" }],
  ["a member of the reply, at its place or at another", { amounts: 1, quantities: 2 }],
  ["what stands in members that are free", { metadata: { ammount: 1, productId: 2 } }],
  ["no object", "amount"],
  ["nothing", null],
])("passes over %s", (_, value) => {
  expect(refusedIn(value)).toEqual([]);
});

test("a dry run that is asked for in the body is not taken for a call that writes", () => {
  expect(refusedIn({ dry_run: true })).toEqual(["dry_run > writes"]);
  expect(refusedIn({ dry_run: true }, { ...sale, dryRun: true })).toEqual(["dry_run > ?dry_run=true"]);
});

test("leads, applications and schools lose nothing by a misspelt member", () => {
  expect(refusedIn({ ammount: 1 }, lead)).toEqual([]);
  expect(refusedIn({ dry_run: true }, lead)).toEqual(["dry_run > writes"]);
  const lenient = ["captureLead", "applyForJob", "createBooking", "closeLead"];
  const strict = ["createInvoice", "applyCreditNote", "createProduct"];
  const refused = (id: string) =>
    refusedMembers(operationOf(id), [{ field: "ammount", name: "ammount", meant: "amount" }]).length;
  expect(lenient.map(refused)).toEqual([0, 0, 0, 0]);
  expect(strict.map(refused)).toEqual([1, 1, 1]);
});

test("a refund takes no member that it does not have: what is left out means all", () => {
  const sent = { capture_id: "1", reason: "other", refund_amount: 1, currency: "INR" };
  expect(refusedIn(sent, operationOf("createRefund")).map((line) => line.split(" ")[0])).toEqual([
    "refund_amount",
    "currency",
  ]);
});

test("the header lists what was ignored: encoded, and no more than fits", () => {
  expect(ignoredHeader(["items[2].colour", "größe, \r\nSet-Cookie"])).toBe(
    "items[2].colour, gr%C3%B6%C3%9Fe%2C%20%0D%0ASet-Cookie",
  );
  expect(ignoredHeader(["\ud800", "x".repeat(100)])).toBe(`%EF%BF%BD, ${"x".repeat(80)}`);
  expect(
    ignoredHeader(Array.from({ length: 25 }, (_, index) => `m${index}`))
      .split(", ")
      .slice(18),
  ).toEqual(["m18", "m19", "+5"]);
  const long = ignoredHeader(Array.from({ length: 14 }, () => "☃".repeat(90)));
  expect([long.length <= 1_010, long.split(", ").at(-1)]).toEqual([true, "+13"]);
});

test("knows each member of each operation's example, and refuses none", () => {
  const withBody = operations.filter(({ id }) => examples.operations.get(id)?.body !== undefined);
  expect(withBody.length).toBeGreaterThan(80);
  for (const operation of withBody)
    expect([operation.id, unknownMembers(operation, exampleOf(operation).body)]).toEqual([operation.id, []]);
});

test.each([
  [
    "sendChatapp",
    { to: "91981", template: { name: "x", varaibles: [] }, text: { bodi: 1, zzz: 2 } },
    ["template.varaibles"],
    3,
  ],
  ["sendEmail", { to: [{ email: "x", nmae: "y" }], subject: "x" }, [], 1],
  ["sendEmail", { to: { emial: "x" }, from: "y" }, ["to.emial"], 2],
])("knows the members of what %s judges by itself", (id, value, refused, many) => {
  const operation = operationOf(id);
  expect(refusedIn(value, operation).map((said) => said.split(" ")[0])).toEqual(refused);
  expect(unknownMembers(operation, value)).toHaveLength(many);
});
