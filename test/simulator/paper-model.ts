/** A line in whole units: minor units, thousandths of a piece and of a percent. */
export type ModelLine = {
  price: number;
  quantity: number;
  rate: number;
  includesTax: boolean;
};
/** How a sale is taxed: in two equal heads, in one, or not at all. */
export type Taxed = "halves" | "one head" | "not";
export type ModelAmounts = { taxable: bigint; half: bigint; single: bigint };

const WHOLE = 100_000n;

/** The quotient rounded to the nearest whole number, a half going up. */
function nearest(numerator: bigint, denominator: bigint): bigint {
  return (2n * numerator + denominator) / (2n * denominator);
}

/** What a line of an order owes: its tax on top of a price without it, inside a price that holds it. */
export function orderLine({ price, quantity, rate, includesTax }: ModelLine, taxed: Taxed): ModelAmounts {
  const cost = nearest(BigInt(price) * BigInt(quantity), 1_000n);
  return includesTax ? inside(cost, rate, taxed) : onTop(cost, rate, taxed);
}

/** What a line of an invoice owes: its tax on top. */
export function onTop(value: bigint, rate: number, taxed: Taxed): ModelAmounts {
  const tax = value * BigInt(rate);
  return {
    taxable: value,
    half: taxed === "halves" ? nearest(tax, 2n * WHOLE) : 0n,
    single: taxed === "one head" ? nearest(tax, WHOLE) : 0n,
  };
}

/** What is in an amount that holds its tax, as shipping does too. */
export function inside(amount: bigint, rate: number, taxed: Taxed): ModelAmounts {
  const [share, whole] = [BigInt(rate), WHOLE + BigInt(rate)];
  const half = taxed === "halves" ? nearest(amount * share, 2n * whole) : 0n;
  const net = taxed === "one head" ? nearest(amount * WHOLE, whole) : amount - 2n * half;
  return { taxable: net, half, single: amount - net - 2n * half };
}

/** What a document sums to, in the names of its record and in minor units. */
export function sumsOf(lines: readonly ModelAmounts[]) {
  const sum = (of: (line: ModelAmounts) => bigint) =>
    Number(lines.reduce((total, line) => total + of(line), 0n));
  return {
    taxable_total: sum(({ taxable }) => taxable),
    cgst_total: sum(({ half }) => half),
    sgst_total: sum(({ half }) => half),
    igst_total: sum(({ single }) => single),
    tax_total: sum(({ half, single }) => 2n * half + single),
    exact_total: sum(({ taxable, half, single }) => taxable + 2n * half + single),
  };
}

/** An exact sum in whole rupees, a half going up. */
export const inRupees = (sum: number) => 100 * Number(nearest(BigInt(sum), 100n));
