import { roundHalfUp } from "#shared/decimal.ts";
import type { SupplyType } from "./supply.ts";
import type { InvoiceTotals } from "./totals.ts";

/** A line of a paid order: thousandths, ten-thousandths of the major unit, thousandths of a percent, minor units. */
export type OrderLine = {
  productId: number | null;
  name: string;
  description: string | null;
  hsnSacCode: string | null;
  quantity: number;
  unit: string;
  unitPrice: number;
  taxRate: number;
  total: number;
};

/** A line as the invoice has it, in minor units; `unitPrice` before tax, in ten-thousandths of the major unit. */
export type SplitLine = Omit<OrderLine, "total"> & {
  taxable: number;
  cgst: number;
  sgst: number;
  igst: number;
};

const WHOLE = 100_000;
const SHIPPING: OrderLine = {
  productId: null,
  name: "Shipping",
  description: null,
  hsnSacCode: null,
  quantity: 1_000,
  unit: "OTH",
  unitPrice: 0,
  taxRate: 0,
  total: 0,
};

/**
 * The lines of an invoice over exactly what was paid. A tax that the shop stated is shared among the lines by their
 * tax, or by their totals where none has a rate, to the last minor unit; otherwise the prices hold their tax.
 */
export function splitOrder(
  lines: readonly OrderLine[],
  { taxAmount, shippingAmount }: { taxAmount: number; shippingAmount: number },
  supply: SupplyType,
): SplitLine[] {
  const stated = taxAmount > 0 ? allocate(taxAmount, lines) : undefined;
  const goods = lines.map((line, index) => {
    const { total, taxRate } = line;
    if (stated !== undefined) return split(line, total, stated[index] ?? 0, supply);
    const taxable = Number(roundHalfUp(BigInt(total) * BigInt(WHOLE), BigInt(WHOLE + taxRate)));
    return split(line, taxable, total - taxable, supply);
  });
  return shippingAmount === 0 ? goods : [...goods, split(SHIPPING, shippingAmount, 0, supply)];
}

/** The sums of the lines; nothing is rounded, for the money is there already. */
export function splitTotals(lines: readonly SplitLine[]): InvoiceTotals {
  const sum = (amount: (line: SplitLine) => number) => lines.reduce((total, line) => total + amount(line), 0);
  const taxableTotal = sum(({ taxable }) => taxable);
  const [cgstTotal, sgstTotal, igstTotal] = [
    sum(({ cgst }) => cgst),
    sum(({ sgst }) => sgst),
    sum(({ igst }) => igst),
  ];
  const taxTotal = cgstTotal + sgstTotal + igstTotal;
  return {
    subTotal: taxableTotal,
    discountTotal: 0,
    taxableTotal,
    cgstTotal,
    sgstTotal,
    igstTotal,
    taxTotal,
    roundOff: 0,
    totalAmount: taxableTotal + taxTotal,
  };
}

/** An odd paisa of tax goes to SGST: half of it could not be owed. */
function split(
  { total: _, ...line }: OrderLine,
  taxable: number,
  tax: number,
  supply: SupplyType,
): SplitLine {
  const cgst = supply === "intra" ? Math.floor(tax / 2) : 0;
  const unitPrice = Number(roundHalfUp(BigInt(taxable) * 100_000n, BigInt(line.quantity)));
  const rate = line.taxRate === 0 && tax > 0 && taxable > 0 ? effectiveRate(tax, taxable) : line.taxRate;
  return {
    ...line,
    unitPrice,
    taxRate: rate,
    taxable,
    cgst,
    sgst: supply === "intra" ? tax - cgst : 0,
    igst: supply === "intra" ? 0 : tax,
  };
}

/** What a tax that was stated without a rate comes to, in thousandths of a percent. */
function effectiveRate(tax: number, taxable: number): number {
  return Number(roundHalfUp(BigInt(tax) * BigInt(WHOLE), BigInt(taxable)));
}

/** Shares an amount by weight: each its whole part, what is left to the largest remainders. */
function allocate(amount: number, lines: readonly OrderLine[]): number[] {
  const taxed = lines.map(({ total, taxRate }) => BigInt(total) * BigInt(taxRate));
  const totals = lines.map(({ total }) => BigInt(total));
  const weights = [taxed, totals].find((each) => each.some((weight) => weight > 0n)) ?? lines.map(() => 1n);
  const whole = weights.reduce((sum, weight) => sum + weight, 0n);
  const shares = weights.map((weight) => Number((BigInt(amount) * weight) / whole));
  const remainders = weights
    .map((weight, index) => ({ index, remainder: (BigInt(amount) * weight) % whole }))
    .sort((a, b) => (a.remainder === b.remainder ? a.index - b.index : a.remainder > b.remainder ? -1 : 1));
  let left = amount - shares.reduce((sum, share) => sum + share, 0);
  for (const { index } of remainders) {
    if (left === 0) break;
    shares[index] = (shares[index] ?? 0) + 1;
    left -= 1;
  }
  return shares;
}
