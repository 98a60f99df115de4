import { GST_RATES } from "#shared/gst/rates.ts";
import { percentOf, WHOLE } from "#shared/money/rounding.ts";
import type { OrderAmounts, OrderLine } from "./order-line.ts";

/** A line's rate in thousandths of a percent, and its tax on top in minor units: null where the price includes it. */
export type LineTax = { rate: number; onTop: number | null };

/** What a line is taxed on. `rate` is null where it has to be found; `inside`: the price includes the tax. */
type Part = { value: number; rate: number | null; inside: boolean };
type Fit = { taxes: LineTax[]; off: number };

/**
 * The tax of each line, shipping last, that adds up to a stated tax; null where no GST rates do. Lines of the catalogue
 * have their own rate, unless their price includes the tax; all others share one rate. Each line is at most one minor
 * unit off the tax of its rate.
 */
export function judgeStatedTax(
  lines: readonly OrderLine[],
  { taxAmount, shippingAmount }: OrderAmounts,
): LineTax[] | null {
  const goods = lines.map((line): Part => {
    const isFree = line.productId === null;
    return {
      value: line.total,
      rate: isFree ? null : line.taxRate,
      inside: !isFree && line.includesTax,
    };
  });
  if (shippingAmount === 0) return bestFit(goods, taxAmount);
  const follows = goods.find(({ rate }) => rate === null) ?? partOf(highestRate(lines));
  const shipping = { ...follows, value: shippingAmount };
  const untaxed: Part = { value: shippingAmount, rate: 0, inside: false };
  return bestFit([...goods, shipping], taxAmount) ?? bestFit([...goods, untaxed], taxAmount);
}

type Rated = Pick<OrderLine, "taxRate" | "hsnSacCode" | "includesTax" | "gstTreatment">;

/** The line of the highest rate, the first of several. */
export function highestRate(lines: readonly OrderLine[]): Rated {
  const [first] = lines;
  const none: Rated = {
    taxRate: 0,
    hsnSacCode: first?.hsnSacCode ?? null,
    includesTax: false,
    gstTreatment: first?.gstTreatment ?? "nil_rated",
  };
  return lines.reduce<Rated>((highest, line) => (line.taxRate > highest.taxRate ? line : highest), none);
}

function partOf({ taxRate, includesTax }: Pick<OrderLine, "taxRate" | "includesTax">): Part {
  return { value: 0, rate: taxRate, inside: includesTax };
}

/** Of the rates that fit the nearest one; of two as near, the lower. */
function bestFit(parts: readonly Part[], taxAmount: number): LineTax[] | null {
  const rates = parts.some(({ rate }) => rate === null) ? GST_RATES : [0];
  const fits = rates.flatMap((slab) => fitOf(parts, slab, taxAmount) ?? []);
  const best = fits.reduce<Fit | null>(
    (nearest, fit) => (nearest && nearest.off <= fit.off ? nearest : fit),
    null,
  );
  return best?.taxes ?? null;
}

/** The rounded tax of each part; the rest of the stated tax is spread over the lines, one minor unit each. */
function fitOf(parts: readonly Part[], slab: number, taxAmount: number): Fit | null {
  const exact = parts.map(({ value, rate }) => BigInt(value) * BigInt(rate ?? slab));
  const taxes = parts.map(({ value, rate, inside }): LineTax => {
    const own = rate ?? slab;
    return { rate: own, onTop: inside ? null : percentOf(value, own) };
  });
  const off = taxAmount - taxes.reduce((sum, { onTop }) => sum + (onTop ?? 0), 0);
  const step = Math.sign(off);
  // In the order of what rounding took: the line that lost most gains first; the line that gained most gives first.
  const bearing = taxes
    .map(({ rate, onTop }, index) => ({ index, rate, onTop, lost: lostBy(exact[index] ?? 0n, onTop ?? 0) }))
    .filter(({ rate, onTop }) => rate > 0 && onTop !== null && onTop + step >= 0)
    .sort((a, b) => step * (b.lost - a.lost) || a.index - b.index)
    .slice(0, Math.abs(off));
  if (bearing.length < Math.abs(off)) return null;
  for (const { index, rate, onTop } of bearing) taxes[index] = { rate, onTop: (onTop ?? 0) + step };
  return { taxes, off: Math.abs(off) };
}

function lostBy(exact: bigint, rounded: number): number {
  return Number(exact - BigInt(rounded) * BigInt(WHOLE));
}
