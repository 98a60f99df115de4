import { type SQL, sql } from "drizzle-orm";
import { invoices } from "#tables/invoices";
import type { CreditedLine } from "./issue.ts";
import { roundOffAt, roundOffGiven } from "./round-off.ts";
import { creditedValues } from "./values.ts";

/** What is left of a line: its value, and the tax on it. */
type Left = { id: number; taxableLeft: number; taxLeft: number };

// By so much, in minor units, the rounded tax of a line may make it differ from its share.
const NUDGES = [-3, -2, -1, 0, 1, 2, 3];

/**
 * The lines that give back an amount with its tax, as a price reduction of each line: a SELECT of JSON. Not every amount is
 * a value and its rounded tax: the note's round-off bears what is missing, so the note is that whose sum with the earlier
 * ones comes nearest to their share of the invoice's round-off. All that is left is credited only for all that it is worth.
 */
export function spread(
  amount: number,
  lines: readonly Left[],
  { invoiceId, withTax }: { invoiceId: number; withTax: boolean },
): SQL<string> {
  const gross = lines.map(({ taxableLeft, taxLeft }) => taxableLeft + (withTax ? taxLeft : 0));
  const shares = byLargestRemainder(amount, gross);
  const taxables = lines.map(({ taxableLeft }, place) =>
    part(taxableLeft, shares[place] ?? 0, gross[place] ?? 0),
  );
  const largest = taxables.indexOf(Math.max(...taxables));
  const nudged = NUDGES.map((by) => taxables.map((taxable, place) => taxable + (place === largest ? by : 0)));
  const all = lines.map(({ taxableLeft }) => taxableLeft);
  const candidates = [...nudged, all].map((values) => linesOf(lines, values));
  const values = creditedValues(sql`candidate.value`, invoiceId, Number(withTax));
  const sum = (value: string) => sql`(SELECT sum(${sql.raw(value)}) FROM (${values}))`;
  const missed = sql`${amount} - worth - ${roundOffDue(sql`taxable`)}`;
  return sql<string>`(SELECT lines FROM (
      SELECT candidate.key AS place, candidate.value AS lines, ${sum("taxable")} AS taxable,
        ${sum("taxable + cgst + sgst + igst")} AS worth, ${invoices.taxableTotal} AS total,
        ${invoices.taxableCredited} AS before, ${invoices.roundOff} AS round_off, (${roundOffGiven(invoiceId)}) AS given
      FROM json_each(${JSON.stringify(candidates)}) AS candidate CROSS JOIN ${invoices}
      WHERE ${invoices.id} = ${invoiceId}
    ) WHERE worth > 0 ORDER BY before + taxable = total AND ${missed} < 0, abs(${missed}), place LIMIT 1)`;
}

/** What a note of this value has to bear, so that the notes bear their share of the invoice's round-off. */
function roundOffDue(taxable: SQL): SQL {
  return sql`(${roundOffAt(sql`before + ${taxable}`)} - given)`;
}

function linesOf(lines: readonly Left[], values: readonly number[]): CreditedLine[] {
  return lines.flatMap(({ id, taxableLeft }, place) => {
    const taxable = Math.min(Math.max(values[place] ?? 0, 0), taxableLeft);
    return taxable === 0 ? [] : [{ id, quantity: null, taxable }];
  });
}

/** `whole * share / of`, rounded: amounts may be above 2^53 when multiplied. */
function part(whole: number, share: number, of: number): number {
  if (of === 0) return 0;
  return Number((2n * BigInt(whole) * BigInt(share) + BigInt(of)) / (2n * BigInt(of)));
}

/** An amount in whole parts in proportion to weights; what rounding leaves goes to the largest remainders. */
function byLargestRemainder(amount: number, weights: readonly number[]): number[] {
  const sum = BigInt(weights.reduce((total, one) => total + one, 0));
  if (sum === 0n) return weights.map(() => 0);
  const products = weights.map((weight) => BigInt(amount) * BigInt(weight));
  const parts = products.map((product) => Number(product / sum));
  const order = products
    .map((product, place) => ({ place, rest: product % sum }))
    .toSorted((a, b) => (a.rest === b.rest ? a.place - b.place : a.rest > b.rest ? -1 : 1));
  const left = amount - parts.reduce((total, one) => total + one, 0);
  for (const { place } of order.slice(0, left)) parts[place] = (parts[place] ?? 0) + 1;
  return parts;
}
