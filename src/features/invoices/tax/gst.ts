import { moneyToWire } from "#shared/fields/numbers.ts";
import {
  halfTaxInside,
  halfTaxOf,
  lineAmount,
  MAX_MINOR,
  percentOf,
  roundToMajor,
  withoutTax,
} from "#shared/money/rounding.ts";
import type { FieldProblem } from "#shared/problem.ts";
import type { SupplyType } from "./place-of-supply.ts";

/** A line as its schema gives it: thousandths, ten-thousandths of the major unit, thousandths of a percent, minor units. */
export type LineInput = {
  quantity: number;
  unit_price: number;
  tax_rate: number;
  discount_amount?: number | undefined;
  hsn_sac_code?: string | null | undefined;
};

/** A tax in minor units: each of CGST and SGST, or IGST. */
export type Heads = { half: number; igst: number };

/** What a line is taxed on and with, in minor units; `taxRate` in thousandths of a percent. */
type TaxedLine = {
  taxRate: number;
  hsnSacCode: string | null;
  taxableMinor: number;
  cgstMinor: number;
  sgstMinor: number;
  igstMinor: number;
};

/** A row of the summary by code; `quantity` in thousandths. */
export type BreakupLine = TaxedLine & { unit: string; quantity: number };

export type LineTotals = TaxedLine & {
  grossMinor: number;
  discountMinor: number;
  taxMinor: number;
  totalMinor: number;
};

/** An invoice's sums in minor units; `subTotal` is before discounts. */
export type InvoiceTotals = {
  subTotal: number;
  discountTotal: number;
  taxableTotal: number;
  cgstTotal: number;
  sgstTotal: number;
  igstTotal: number;
  taxTotal: number;
  roundOff: number;
  totalAmount: number;
};

export type TotalsResult =
  | { ok: true; lines: LineTotals[]; totals: InvoiceTotals }
  | { ok: false; problems: FieldProblem[] };

/**
 * The amounts of an invoice, or the fields whose amounts are too big. Taxes are rounded half up to the minor unit line
 * by line, CGST and SGST apart; `applyRoundOff` rounds the total to whole major units.
 */
export function computeTotals(
  inputs: readonly LineInput[],
  supply: SupplyType | null,
  applyRoundOff: boolean,
): TotalsResult {
  const lines = inputs.map((input) => lineTotals(input, supply));
  const totals = invoiceTotals(lines, applyRoundOff);
  const problems = lines.flatMap(lineProblems);
  if (Math.max(totals.subTotal, totals.totalAmount) > MAX_MINOR) problems.push(tooBig("items", MAX_MINOR));
  return problems.length > 0 ? { ok: false, problems } : { ok: true, lines, totals };
}

/** The rates a line's tax is made of, in thousandths of a percent: exact, though half of an odd rate ends in .5. */
export function taxRates(
  taxRate: number,
  supply: SupplyType | null,
): { cgstRate: number; sgstRate: number; igstRate: number } {
  const half = taxRate / 2;
  return supply === "intra"
    ? { cgstRate: half, sgstRate: half, igstRate: 0 }
    : { cgstRate: 0, sgstRate: 0, igstRate: taxRate };
}

/** Lines summed by HSN or SAC code, rate and unit, in that order; those without a code come last. */
export function taxBreakup(lines: readonly BreakupLine[]): BreakupLine[] {
  const groups = new Map<string, BreakupLine>();
  for (const line of lines) {
    const key = `${line.hsnSacCode ?? "~"} ${String(line.taxRate).padStart(6, "0")} ${line.unit}`;
    const group = groups.get(key);
    groups.set(key, {
      ...line,
      quantity: line.quantity + (group?.quantity ?? 0),
      taxableMinor: line.taxableMinor + (group?.taxableMinor ?? 0),
      cgstMinor: line.cgstMinor + (group?.cgstMinor ?? 0),
      sgstMinor: line.sgstMinor + (group?.sgstMinor ?? 0),
      igstMinor: line.igstMinor + (group?.igstMinor ?? 0),
    });
  }
  return [...groups].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, group]) => group);
}

/** The tax on a value in minor units: two equal halves within a state, else one head. */
export function taxOnTop(value: number, rate: number, supply: SupplyType | null): Heads {
  if (supply === "intra") return { half: halfTaxOf(value, rate), igst: 0 };
  return { half: 0, igst: percentOf(value, rate) };
}

/** The tax inside an amount in minor units, likewise. On an amount that `taxOnTop` made it is the same again. */
export function taxInside(amount: number, rate: number, supply: SupplyType | null): Heads {
  if (supply === "intra") return { half: halfTaxInside(amount, rate), igst: 0 };
  return { half: 0, igst: amount - withoutTax(amount, rate) };
}

// A number stands for amounts above 2^53 only inexactly, which is enough to see that they are too big.
function lineTotals(input: LineInput, supply: SupplyType | null): LineTotals {
  const grossMinor = lineAmount(input.quantity, input.unit_price);
  const discountMinor = input.discount_amount ?? 0;
  const taxableMinor = grossMinor - discountMinor;
  const { half: halfMinor, igst: igstMinor } = taxOnTop(taxableMinor, input.tax_rate, supply);
  const taxMinor = 2 * halfMinor + igstMinor;
  return {
    grossMinor,
    discountMinor,
    taxableMinor,
    taxRate: input.tax_rate,
    hsnSacCode: input.hsn_sac_code ?? null,
    cgstMinor: halfMinor,
    sgstMinor: halfMinor,
    igstMinor,
    taxMinor,
    totalMinor: taxableMinor + taxMinor,
  };
}

function invoiceTotals(lines: readonly LineTotals[], applyRoundOff: boolean): InvoiceTotals {
  const sum = (amount: (line: LineTotals) => number) =>
    lines.reduce((total, line) => total + amount(line), 0);
  const taxableTotal = sum((line) => line.taxableMinor);
  const taxTotal = sum((line) => line.taxMinor);
  const exact = taxableTotal + taxTotal;
  const totalAmount = applyRoundOff ? roundToMajor(exact) : exact;
  return {
    subTotal: sum((line) => line.grossMinor),
    discountTotal: sum((line) => line.discountMinor),
    taxableTotal,
    cgstTotal: sum((line) => line.cgstMinor),
    sgstTotal: sum((line) => line.sgstMinor),
    igstTotal: sum((line) => line.igstMinor),
    taxTotal,
    roundOff: totalAmount - exact,
    totalAmount,
  };
}

function lineProblems(line: LineTotals, index: number): FieldProblem[] {
  const field = `items[${index}]`;
  if (Math.max(line.grossMinor, line.totalMinor) > MAX_MINOR) return [tooBig(field, MAX_MINOR)];
  return line.discountMinor > line.grossMinor ? [tooBig(`${field}.discount_amount`, line.grossMinor)] : [];
}

function tooBig(field: string, maxMinor: number): FieldProblem {
  return { field, code: "too_big", message: `must be at most ${moneyToWire(maxMinor)}` };
}
