import { moneyToWire } from "#shared/fields/numbers.ts";
import { halfTaxOf, lineAmount, MAX_MINOR, percentOf, roundToMajor } from "#shared/money/rounding.ts";
import type { FieldProblem } from "#shared/problem.ts";

/** Where the tax of an invoice goes: both within one state, between states, or out of the country. */
export type SupplyType = "intra" | "inter" | "export";

export type Supplier = { gstin: string | null; stateCode: string | null };
export type Recipient = Supplier & { country: string; gstCategory: string };

const OTHER_COUNTRIES = "96";
const CENTRAL_JURISDICTION = "99";

/** The code of the place of supply: the override, else the buyer's, else the seller's; null when none is known. */
export function placeOfSupply(seller: Supplier, buyer: Recipient, override?: string | null): string | null {
  if (override) return override;
  return buyer.country === "IN" ? (stateOf(buyer) ?? stateOf(seller)) : OTHER_COUNTRIES;
}

/** The kind of supply to a place of supply; within the state when the seller's own state is not known. */
export function supplyType(seller: Supplier, buyer: Recipient, place: string | null): SupplyType {
  if (place === OTHER_COUNTRIES) return "export";
  const sellerState = stateOf(seller);
  if (place === null || sellerState === null) return "intra";
  return place !== sellerState || buyer.gstCategory === "sez" ? "inter" : "intra";
}

function stateOf({ gstin, stateCode }: Supplier): string | null {
  const registered = gstin?.slice(0, 2);
  return registered === undefined || registered === CENTRAL_JURISDICTION ? stateCode : registered;
}

/** A line as its schema gives it: thousandths, ten-thousandths of the major unit, thousandths of a percent, minor units. */
export type LineInput = {
  quantity: number;
  unit_price: number;
  tax_rate: number;
  discount_amount?: number | undefined;
  hsn_sac_code?: string | null | undefined;
};

/** What a line is taxed on and with, in minor units; `taxRate` in thousandths of a percent. */
export type TaxedLine = {
  taxRate: number;
  hsnSacCode: string | null;
  taxableMinor: number;
  cgstMinor: number;
  sgstMinor: number;
  igstMinor: number;
};

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
  supply: SupplyType,
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
  supply: SupplyType,
): { cgstRate: number; sgstRate: number; igstRate: number } {
  const half = taxRate / 2;
  return supply === "intra"
    ? { cgstRate: half, sgstRate: half, igstRate: 0 }
    : { cgstRate: 0, sgstRate: 0, igstRate: taxRate };
}

/** Lines summed by tax rate and HSN or SAC code, in the order in which these first appear. */
export function taxBreakup(lines: readonly TaxedLine[]): TaxedLine[] {
  const groups = new Map<string, TaxedLine>();
  for (const { taxRate, hsnSacCode, ...amounts } of lines) {
    const key = `${taxRate} ${hsnSacCode}`;
    const group = groups.get(key);
    groups.set(key, {
      taxRate,
      hsnSacCode,
      taxableMinor: (group?.taxableMinor ?? 0) + amounts.taxableMinor,
      cgstMinor: (group?.cgstMinor ?? 0) + amounts.cgstMinor,
      sgstMinor: (group?.sgstMinor ?? 0) + amounts.sgstMinor,
      igstMinor: (group?.igstMinor ?? 0) + amounts.igstMinor,
    });
  }
  return [...groups.values()];
}

// A number stands for amounts above 2^53 only inexactly, which is enough to see that they are too big.
function lineTotals(input: LineInput, supply: SupplyType): LineTotals {
  const grossMinor = lineAmount(input.quantity, input.unit_price);
  const discountMinor = input.discount_amount ?? 0;
  const taxableMinor = grossMinor - discountMinor;
  const halfMinor = supply === "intra" ? halfTaxOf(taxableMinor, input.tax_rate) : 0;
  const igstMinor = supply === "intra" ? 0 : percentOf(taxableMinor, input.tax_rate);
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
