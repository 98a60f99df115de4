import { rateOf, unitPriceOf } from "#shared/money/rounding.ts";
import { type Heads, type InvoiceTotals, taxInside } from "../tax/gst.ts";
import type { SupplyType } from "../tax/place-of-supply.ts";
import type { OrderAmounts, OrderLine } from "./order-line.ts";
import { highestRate, judgeStatedTax, type LineTax } from "./stated-tax.ts";

/** How an order is taxed: by a company of which country, and what keeps its lines free of tax. */
export type OrderTerms = { type: SupplyType | null; country: string; underLetter: boolean; isTaxed: boolean };

/** A line as the invoice has it, in minor units; `unitPrice` before tax, in ten-thousandths of the major unit. */
export type SplitLine = Omit<OrderLine, "total" | "includesTax" | "addedTax" | "isService"> & {
  taxable: number;
  half: number;
  igst: number;
};

/** Whether an invoice can be made of an order: its stated tax must follow from GST rates. */
export function isPlausible(lines: readonly OrderLine[], amounts: OrderAmounts, country: string): boolean {
  return splitOrder(lines, amounts, { type: "intra", country, underLetter: false, isTaxed: true }) !== null;
}

/**
 * The lines of an invoice over exactly what was paid, shipping last. A stated tax must follow from GST rates, else null;
 * outside India it is taken as stated. What a company may not tax bears none inside the same total.
 */
export function splitOrder(
  lines: readonly OrderLine[],
  amounts: OrderAmounts,
  { type, country, underLetter, isTaxed }: OrderTerms,
): SplitLine[] | null {
  const { taxAmount, shippingAmount } = amounts;
  const all = shippingAmount === 0 ? lines : [...lines, shippingLine(lines, shippingAmount)];
  if (!isTaxed || (underLetter && taxAmount === 0)) {
    const shares = allocate(taxAmount, lines);
    return all.map((line, index) => untaxed(line, shares[index] ?? 0));
  }
  if (taxAmount === 0)
    return all.map((line) => split(line, { rate: line.taxRate, onTop: line.addedTax }, type));
  if (country !== "IN") {
    const shares = allocate(taxAmount, lines);
    return all.map((line, index) => asStated(line, shares[index] ?? 0));
  }
  const taxes = judgeStatedTax(lines, amounts);
  if (taxes === null) return null;
  return all.map((line, index) => split(line, taxes[index] ?? { rate: 0, onTop: 0 }, type));
}

/** Carriage is part of one supply with the goods: it has the rate and the code of the line of the highest rate. */
function shippingLine(lines: readonly OrderLine[], total: number): OrderLine {
  const { taxRate, hsnSacCode, gstTreatment } = highestRate(lines);
  return {
    productId: null,
    name: "Shipping",
    description: null,
    hsnSacCode,
    quantity: 1_000,
    unit: "OTH",
    unitPrice: 0,
    taxRate,
    gstTreatment,
    isService: false,
    total,
    includesTax: false,
    addedTax: 0,
  };
}

/** The sums of the lines. There is no round-off: the total is what was paid. */
export function splitTotals(lines: readonly SplitLine[]): InvoiceTotals {
  const sum = (amount: (line: SplitLine) => number) => lines.reduce((total, line) => total + amount(line), 0);
  const taxableTotal = sum(({ taxable }) => taxable);
  const halfTotal = sum(({ half }) => half);
  const igstTotal = sum(({ igst }) => igst);
  const taxTotal = 2 * halfTotal + igstTotal;
  return {
    subTotal: taxableTotal,
    discountTotal: 0,
    taxableTotal,
    cgstTotal: halfTotal,
    sgstTotal: halfTotal,
    igstTotal,
    taxTotal,
    roundOff: 0,
    totalAmount: taxableTotal + taxTotal,
  };
}

/** A line by its rate, inside what it costs with its tax. CGST and SGST are equal, so the taxable value takes up an odd paisa. */
function split(line: OrderLine, { rate, onTop }: LineTax, type: SupplyType | null): SplitLine {
  const gross = line.total + (onTop ?? 0);
  return splitLine(line, gross, rate, taxInside(gross, rate, type));
}

/** A line without tax over what it costs with it. */
function untaxed(line: OrderLine, share: number): SplitLine {
  return splitLine(line, line.total + line.addedTax + share, 0, { half: 0, igst: 0 });
}

/** A line with its share of a tax as stated, and the rate that this comes to where it has none of its own. */
function asStated(line: OrderLine, share: number): SplitLine {
  const isOwn = line.taxRate !== 0 || share === 0 || line.total === 0;
  const rate = share === 0 ? 0 : isOwn ? line.taxRate : rateOf(share, line.total);
  return splitLine(line, line.total + share, rate, { half: 0, igst: share });
}

function splitLine(
  { total: _total, includesTax: _includes, addedTax: _added, isService: _service, ...line }: OrderLine,
  gross: number,
  rate: number,
  { half, igst }: Heads,
): SplitLine {
  const taxable = gross - 2 * half - igst;
  return {
    ...line,
    unitPrice: unitPriceOf(taxable, line.quantity),
    taxRate: rate,
    gstTreatment: rate > 0 ? "taxable" : line.gstTreatment,
    taxable,
    half,
    igst,
  };
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
