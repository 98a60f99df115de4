import fc from "fast-check";
import { expect, test } from "vitest";
import { toScaled } from "#shared/decimal.ts";
import { moneyToWire } from "#shared/fields/numbers.ts";
import {
  computeTotals,
  type LineInput,
  taxBreakup,
  taxRates,
} from "../../../src/features/invoices/tax/gst.ts";
import type { SupplyType } from "../../../src/features/invoices/tax/place-of-supply.ts";
import vectors from "../../vectors/gst-totals.json" with { type: "json" };

function line([quantity = 0, price = 0, rate = 0]: number[]): LineInput {
  return {
    quantity: toScaled(quantity, 3) ?? Number.NaN,
    unit_price: toScaled(price, 4) ?? Number.NaN,
    tax_rate: toScaled(rate, 3) ?? Number.NaN,
  };
}

function accepted(lines: LineInput[], supply: SupplyType, applyRoundOff = true) {
  const result = computeTotals(lines, supply, applyRoundOff);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result;
}

function refused(lines: LineInput[]) {
  const result = computeTotals(lines, "intra", true);
  return result.ok ? [] : result.problems;
}

test.each(vectors.cases)("$lines $supply comes to $total", ({ lines, supply, ...expected }) => {
  const { totals } = accepted(lines.map(line), supply as SupplyType);
  expect({
    taxable: moneyToWire(totals.taxableTotal),
    cgst: moneyToWire(totals.cgstTotal),
    sgst: moneyToWire(totals.sgstTotal),
    igst: moneyToWire(totals.igstTotal),
    before: moneyToWire(totals.taxableTotal + totals.taxTotal),
    round_off: moneyToWire(totals.roundOff),
    total: moneyToWire(totals.totalAmount),
  }).toEqual(expected);
});

test("a discount lowers what is taxed, never the gross amount", () => {
  const { lines, totals } = accepted([{ ...line([3, 99.99, 18]), discount_amount: 9997 }], "inter");
  expect(lines).toMatchObject([
    { grossMinor: 29_997, discountMinor: 9997, taxableMinor: 20_000, igstMinor: 3600 },
  ]);
  expect(totals).toMatchObject({
    subTotal: 29_997,
    discountTotal: 9997,
    taxableTotal: 20_000,
    totalAmount: 23_600,
  });
});

test("an export is taxed like a supply between states", () => {
  expect(accepted([line([1, 100, 18])], "export").totals).toMatchObject({ igstTotal: 1800, cgstTotal: 0 });
});

test("without rounding off, the total is what the lines come to", () => {
  const { totals } = accepted([line([1, 100.49, 0])], "intra", false);
  expect(totals).toMatchObject({ roundOff: 0, totalAmount: 10_049 });
});

test("a discount above its line's amount is refused on that line", () => {
  const lines = [line([1, 1, 0]), { ...line([3, 99.99, 18]), discount_amount: 29_998 }];
  expect(refused(lines)).toEqual([
    { field: "items[1].discount_amount", code: "too_big", message: "must be at most 299.97" },
  ]);
});

test("a line above ten digits is refused, as is a sum of lines above them", () => {
  const tooMuch = { code: "too_big", message: "must be at most 9999999999.99" };
  expect(refused([line([99_999_999, 99_999_999, 100])])).toContainEqual({ field: "items[0]", ...tooMuch });
  expect(refused([line([100, 60_000_000, 0]), line([100, 60_000_000, 0])])).toEqual([
    { field: "items", ...tooMuch },
  ]);
  expect(refused([line([100, 60_000_000, 0])])).toEqual([]);
});

test("the rates of a line add up to its tax rate, half of an odd one included", () => {
  expect(taxRates(125, "intra")).toEqual({ cgstRate: 62.5, sgstRate: 62.5, igstRate: 0 });
  expect(taxRates(18_000, "export")).toEqual({ cgstRate: 0, sgstRate: 0, igstRate: 18_000 });
});

test("the tax breakup has one row for each tax rate and HSN code", () => {
  const { lines } = accepted(
    [
      { ...line([1, 100, 18]), hsn_sac_code: "9983" },
      { ...line([2, 100, 18]), hsn_sac_code: "9983" },
      { ...line([1, 100, 18]) },
      { ...line([1, 100, 5]), hsn_sac_code: "9983" },
      { ...line([1, 100, 18]), hsn_sac_code: "9983" },
    ],
    "intra",
  );
  const counted = lines.map((each, index) => ({
    ...each,
    unit: index === 1 ? "KGS" : "NOS",
    quantity: 1_000,
  }));
  const taxed = (
    rate: number,
    code: string | null,
    unit: string,
    quantity: number,
    taxable: number,
    half: number,
  ) => ({
    ...{ hsnSacCode: code, taxRate: rate, unit, quantity, taxableMinor: taxable },
    ...{ cgstMinor: half, sgstMinor: half, igstMinor: 0 },
  });
  expect(taxBreakup(counted)).toMatchObject([
    taxed(5_000, "9983", "NOS", 1_000, 10_000, 250),
    taxed(18_000, "9983", "KGS", 1_000, 20_000, 1_800),
    taxed(18_000, "9983", "NOS", 2_000, 20_000, 1_800),
    taxed(18_000, null, "NOS", 1_000, 10_000, 900),
  ]);
});

const anyLine: fc.Arbitrary<LineInput> = fc
  .record({
    quantity: fc.integer({ min: 1, max: 10_000_000 }),
    unit_price: fc.integer({ min: 0, max: 1_000_000_000 }),
    tax_rate: fc.integer({ min: 0, max: 100_000 }),
    discount: fc.integer({ min: 0, max: 100 }),
    hsn_sac_code: fc.constantFrom(null, "9983", "84713010"),
  })
  .map(({ discount, ...input }) => ({
    ...input,
    discount_amount: Math.floor((Math.floor((input.quantity * input.unit_price) / 100_000) * discount) / 100),
  }));
const anyLines = fc.array(anyLine, { minLength: 1, maxLength: 20 });
const anySupply = fc.constantFrom<SupplyType>("intra", "inter", "export");

function sum<Row>(rows: Row[], amount: (row: Row) => number): number {
  return rows.reduce((total, row) => total + amount(row), 0);
}

test("whatever the lines, the sums of an invoice hold", () => {
  fc.assert(
    fc.property(anyLines, anySupply, fc.boolean(), (inputs, supply, applyRoundOff) => {
      const { lines, totals } = accepted(inputs, supply, applyRoundOff);
      expect(totals.taxableTotal).toBe(totals.subTotal - totals.discountTotal);
      expect(totals.taxableTotal).toBe(sum(lines, (row) => row.taxableMinor));
      expect(totals.taxTotal).toBe(totals.cgstTotal + totals.sgstTotal + totals.igstTotal);
      expect(totals.totalAmount).toBe(totals.taxableTotal + totals.taxTotal + totals.roundOff);
      expect(sum(lines, (row) => row.totalMinor)).toBe(totals.totalAmount - totals.roundOff);
      const breakup = taxBreakup(lines.map((each) => ({ ...each, unit: "NOS", quantity: 1 })));
      expect(sum(breakup, (row) => row.taxableMinor)).toBe(totals.taxableTotal);
      expect(sum(breakup, (row) => row.cgstMinor + row.sgstMinor + row.igstMinor)).toBe(totals.taxTotal);
    }),
  );
});

test("whatever the lines, CGST and SGST are equal within the state and IGST stands alone elsewhere", () => {
  fc.assert(
    fc.property(anyLines, anySupply, (inputs, supply) => {
      for (const row of accepted(inputs, supply).lines) {
        expect(row.cgstMinor).toBe(row.sgstMinor);
        expect(supply === "intra" ? row.igstMinor : row.cgstMinor).toBe(0);
      }
    }),
  );
});

test("whatever the lines, rounding off gives whole rupees and moves at most half a rupee", () => {
  fc.assert(
    fc.property(anyLines, anySupply, (inputs, supply) => {
      const { totals } = accepted(inputs, supply);
      expect(totals.totalAmount % 100).toBe(0);
      expect(totals.roundOff).toBeGreaterThanOrEqual(-49);
      expect(totals.roundOff).toBeLessThanOrEqual(50);
    }),
  );
});

test("whatever the line, each amount is the exact one to within half a paisa, a half going up", () => {
  fc.assert(
    fc.property(anyLine, (input) => {
      const row = accepted([input], "inter").lines[0];
      const grossError =
        100_000n * BigInt(row?.grossMinor ?? 0) - BigInt(input.quantity) * BigInt(input.unit_price);
      const taxError =
        100_000n * BigInt(row?.igstMinor ?? 0) - BigInt(row?.taxableMinor ?? 0) * BigInt(input.tax_rate);
      for (const error of [grossError, taxError]) expect(error > -50_000n && error <= 50_000n).toBe(true);
    }),
  );
});
