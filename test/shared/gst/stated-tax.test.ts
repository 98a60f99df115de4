import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { OrderLine } from "../../../src/features/invoices/from-order/order-line.ts";
import { splitOrder, splitTotals } from "../../../src/features/invoices/from-order/split-tax.ts";
import { taxOnTop } from "../../../src/features/invoices/tax/gst.ts";
import vectors from "../../vectors/shop-tax.json" with { type: "json" };

const HOME = { type: "intra", country: "IN", underLetter: false, isTaxed: true } as const;
const SLABS = [0, 100, 250, 1_000, 1_500, 3_000, 5_000, 6_000, 7_500, 12_000, 18_000, 28_000, 40_000];

function lineOf(fields: Partial<OrderLine>): OrderLine {
  return {
    ...{ productId: null, name: "Line", description: null, hsnSacCode: null, quantity: 1_000, unit: "NOS" },
    ...{
      unitPrice: 0,
      taxRate: 0,
      gstTreatment: "nil_rated",
      isService: false,
      total: 0,
      includesTax: false,
      addedTax: 0,
      ...fields,
    },
  };
}
const split = (lines: OrderLine[], taxAmount: number, shippingAmount = 0) =>
  splitOrder(lines, { taxAmount, shippingAmount }, HOME);
const heads = (lines: ReturnType<typeof split>) =>
  lines?.map(({ taxable, half, taxRate }) => [taxable, half, taxRate]);

test.each(vectors.inside)(
  "$gross with $rate percent inside has two equal halves",
  ({ gross, rate, taxable, half }) => {
    const line = lineOf({ productId: 1, total: gross, taxRate: rate * 1_000, includesTax: true });
    expect(heads(split([line], 0))).toEqual([[taxable, half, rate * 1_000]]);
  },
);

test.each(vectors.onTop)(
  "$value at $rate percent costs $intra within the state, $inter between states",
  (each) => {
    const { value, rate, intra, inter } = each;
    for (const [type, cost] of [["intra", intra] as const, ["inter", inter] as const]) {
      const { half, igst } = taxOnTop(value, rate * 1_000, type);
      expect(value + 2 * half + igst).toBe(cost);
      const line = lineOf({ productId: 1, total: value, taxRate: rate * 1_000, addedTax: 2 * half + igst });
      const [sold] = splitOrder([line], { taxAmount: 0, shippingAmount: 0 }, { ...HOME, type }) ?? [];
      expect(sold).toMatchObject({ taxable: value, half, igst });
    }
  },
);

test("shipping has the rate of the goods, inside its amount", () => {
  const held = (total: number, taxRate: number) =>
    lineOf({ productId: 1, total, taxRate, includesTax: true });
  expect(heads(split([held(105_00, 5_000), held(118_00, 18_000)], 0, 50_00))?.[2]).toEqual([
    42_38, 3_81, 18_000,
  ]);
});

test("a stated tax is that of a rate there is, or none", () => {
  const goods = [lineOf({ productId: 1, total: 200_00, taxRate: 18_000 })];
  expect(heads(split(goods, 36_00))).toEqual([[200_00, 18_00, 18_000]]);
  expect(split(goods, 35_98)).toBeNull();
  const free = [lineOf({ total: 1_000_00 })];
  expect(heads(split(free, 180_00))).toEqual([[1_000_00, 90_00, 18_000]]);
  for (const tax of [88_75, 180_02, 400_02, 450_00, 1_000_000_00]) expect(split(free, tax)).toBeNull();
});

test("a company that may charge no tax invoices what was paid without any", () => {
  const lines = [lineOf({ productId: 1, total: 200_00, taxRate: 18_000, gstTreatment: "taxable" })];
  const sold = splitOrder(lines, { taxAmount: 36_00, shippingAmount: 10_00 }, { ...HOME, isTaxed: false });
  expect(heads(sold)).toEqual([
    [236_00, 0, 0],
    [10_00, 0, 0],
  ]);
});

test("of any cart each line is at most a paisa off the tax of a rate there is, and the total is what was asked for", () => {
  const line = fc
    .record({
      productId: fc.option(fc.constant(1)),
      total: fc.integer({ min: 1, max: 10_000_000 }),
      taxRate: fc.constantFrom(...SLABS),
      includesTax: fc.boolean(),
    })
    .map((fields) => lineOf(fields.productId === null ? { total: fields.total } : fields));
  const cart = fc.record({
    lines: fc.array(line, { minLength: 1, maxLength: 8 }),
    taxAmount: fc.integer({ min: 0, max: 2_000_000 }),
    slab: fc.option(fc.constantFrom(...SLABS)),
    shippingAmount: fc.constantFrom(0, 1, 49_99, 500_00),
  });
  const holds = fc.property(cart, ({ lines, taxAmount, slab, shippingAmount }): void => {
    const owed = lines.reduce(
      (sum, { productId, includesTax, total, taxRate }) =>
        sum +
        (productId !== null && includesTax
          ? 0
          : Math.round((total * (productId === null ? (slab ?? 0) : taxRate)) / 100_000)),
      0,
    );
    const stated = slab === null ? taxAmount : owed;
    const invoice = split(lines, stated, shippingAmount);
    if (invoice === null) {
      expect(slab).toBeNull();
      return;
    }
    const asked = lines.reduce((sum, { total }) => sum + total, stated + shippingAmount);
    expect(splitTotals(invoice).totalAmount).toBe(asked);
    for (const { taxable, taxRate, half } of invoice) {
      expect(SLABS).toContain(taxRate);
      expect(Math.abs(2 * half - (taxable * taxRate) / 100_000)).toBeLessThanOrEqual(1.5);
      if (taxRate === 0) expect(half).toBe(0);
    }
  });
  void fc.assert(holds, { numRuns: 2_000 });
});
