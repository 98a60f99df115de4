import { expect, test } from "vitest";
import * as z from "zod";
import {
  money,
  moneyToWire,
  percent,
  percentToWire,
  priceToWire,
  quantity,
  quantityToWire,
  unitPrice,
} from "#shared/fields/numbers.ts";

function problem(schema: z.ZodType, value: unknown): unknown {
  const issue = schema.safeParse(value).error?.issues[0];
  return issue?.code === "custom" ? [issue.params?.code, issue.message] : [issue?.code, issue?.message];
}

test("numbers of the wire become scaled integers and come back", () => {
  expect(money().parse(353.97)).toBe(35_397);
  expect(unitPrice().parse(33.3333)).toBe(333_333);
  expect(quantity().parse(2.5)).toBe(2500);
  expect(percent().parse(0.125)).toBe(125);
  expect(moneyToWire(35_397)).toBe(353.97);
  expect(priceToWire(333_333)).toBe(33.3333);
  expect(quantityToWire(2500)).toBe(2.5);
  expect(percentToWire(62.5)).toBe(0.0625);
});

test("a number with too many decimals is refused, not rounded", () => {
  expect(problem(money(), 1.005)).toEqual(["invalid_precision", "must have at most 2 decimals"]);
  expect(problem(unitPrice(), 0.000_01)).toEqual(["invalid_precision", "must have at most 4 decimals"]);
  expect(problem(quantity(), 1.0001)).toEqual(["invalid_precision", "must have at most 3 decimals"]);
  expect(problem(percent(), 1e-7)).toEqual(["invalid_precision", "must have at most 3 decimals"]);
});

test("a number out of range is refused in the wire's units", () => {
  expect(problem(quantity(), 0)).toEqual(["too_small", "must be at least 0.001"]);
  expect(problem(money({ min: 0.01 }), 0)).toEqual(["too_small", "must be at least 0.01"]);
  expect(problem(money(), 1e10)).toEqual(["too_big", "must be at most 9999999999.99"]);
  expect(problem(percent(), 100.001)).toEqual(["too_big", "must be at most 100"]);
});

test("only finite JSON numbers are numbers", () => {
  for (const value of ["1", null, true, Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(money().safeParse(value).success).toBe(false);
  }
});

test("the JSON Schema shows the number that the wire carries", () => {
  expect(z.toJSONSchema(quantity(), { io: "input" })).toMatchObject({
    type: "number",
    minimum: 0.001,
    maximum: 99_999_999,
  });
});
