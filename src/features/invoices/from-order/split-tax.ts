import { rateOf, unitPriceOf, withoutTax } from "#shared/money/rounding.ts";
import type { InvoiceTotals, SupplyType } from "../tax/gst.ts";
import type { OrderAmounts, OrderLine } from "./order-line.ts";
import { highestRate, judgeStatedTax, type LineTax } from "./stated-tax.ts";

/** How an order is taxed: by a company of which country, and whether under its letter of undertaking, without tax. */
export type OrderTerms = { supply: SupplyType; country: string; underLetter: boolean };

/** A line as the invoice has it, in minor units; `unitPrice` before tax, in ten-thousandths of the major unit. */
export type SplitLine = Omit<OrderLine, "total" | "includesTax" | "addedTax"> & {
  taxable: number;
  cgst: number;
  sgst: number;
  igst: number;
};

/** Whether an invoice can be made of an order: its stated tax must follow from GST rates. */
export function isPlausible(lines: readonly OrderLine[], amounts: OrderAmounts, country: string): boolean {
  return splitOrder(lines, amounts, { supply: "intra", country, underLetter: false }) !== null;
}

/**
 * The lines of an invoice over exactly what was paid, shipping last. A stated tax must follow from GST rates, else null;
 * outside India it is taken as stated. Without one the prices include tax, or bear none under a letter of undertaking.
 */
export function splitOrder(
  lines: readonly OrderLine[],
  amounts: OrderAmounts,
  { supply, country, underLetter }: OrderTerms,
): SplitLine[] | null {
  const { taxAmount, shippingAmount } = amounts;
  const all = shippingAmount === 0 ? lines : [...lines, shippingLine(lines, shippingAmount)];
  if (taxAmount === 0) {
    const untaxed = { rate: 0, onTop: 0 };
    return all.map((line) => (underLetter ? split(line, untaxed, supply) : splitOwn(line, supply)));
  }
  if (country !== "IN") {
    const shares = allocate(taxAmount, lines);
    return all.map((line, index) => split(line, effective(line, shares[index] ?? 0), supply));
  }
  const taxes = judgeStatedTax(lines, amounts);
  if (taxes === null) return null;
  return all.map((line, index) => split(line, taxes[index] ?? { rate: 0, onTop: 0 }, supply));
}

/** Carriage is part of one supply with the goods: it has the rate and the code of the line of the highest rate. */
function shippingLine(lines: readonly OrderLine[], total: number): OrderLine {
  const { taxRate, hsnSacCode } = highestRate(lines);
  return {
    productId: null,
    name: "Shipping",
    description: null,
    hsnSacCode,
    quantity: 1_000,
    unit: "OTH",
    unitPrice: 0,
    taxRate,
    total,
    includesTax: false,
    addedTax: 0,
  };
}

/** The sums of the lines. There is no round-off: the total is what was paid. */
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

/** A line whose price does not include the tax that the service added, or one that includes it. */
function splitOwn(line: OrderLine, supply: SupplyType): SplitLine {
  const { taxRate: rate, addedTax } = line;
  if (addedTax > 0) return split({ ...line, addedTax: 0 }, { rate, onTop: addedTax }, supply);
  return split(line, { rate, onTop: null }, supply);
}

/** A line's tax, inside its price or on top of it. An odd paisa goes to SGST: half of it could not be owed. */
function split(
  { total, includesTax: _, addedTax, ...line }: OrderLine,
  { rate, onTop }: LineTax,
  supply: SupplyType,
): SplitLine {
  const gross = total + addedTax;
  const taxable = onTop === null ? withoutTax(gross, rate) : gross;
  const tax = onTop ?? gross - taxable;
  const cgst = supply === "intra" ? Math.floor(tax / 2) : 0;
  return {
    ...line,
    unitPrice: unitPriceOf(taxable, line.quantity),
    taxRate: rate,
    taxable,
    cgst,
    sgst: supply === "intra" ? tax - cgst : 0,
    igst: supply === "intra" ? 0 : tax,
  };
}

/** A stated share of tax as it is; a line without a rate gets the one that this comes to, in thousandths of a percent. */
function effective({ taxRate, total }: OrderLine, share: number): LineTax {
  const isOwn = taxRate !== 0 || share === 0 || total === 0;
  const rate = isOwn ? taxRate : rateOf(share, total);
  return { rate: share === 0 ? 0 : rate, onTop: share };
}

/** Shares an amount by weight, by the largest-remainder method. */
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

type Amounts = OrderAmounts & { lines: readonly OrderLine[] };

/**
 * The same order and total with another stated tax, in minor units: the lines take up the difference, each by its share.
 * With 0 no tax counts as stated, so the prices include it. Null where the lines would fall below zero.
 */
export function restateTax<Order extends Amounts>(order: Order, taxAmount: number): Order | null {
  const freed = order.taxAmount - taxAmount;
  if (freed === 0) return order;
  const shares = allocate(Math.abs(freed), order.lines);
  const lines = order.lines.map((line, index) => ({
    ...line,
    // Beside a stated tax there is none that the service added.
    total: line.total + (taxAmount === 0 ? 0 : line.addedTax) + Math.sign(freed) * (shares[index] ?? 0),
    ...(taxAmount === 0 ? {} : { addedTax: 0 }),
  }));
  return lines.some(({ total }) => total < 0) ? null : { ...order, lines, taxAmount };
}
