import { type SQL, sql } from "drizzle-orm";
import type { CreditedLine } from "./issue.ts";
import { roundedSoFar, roundOffAt, roundOffOf } from "./round-off.ts";
import { creditedValues } from "./values.ts";

/** What is left of a line: its value, and the tax that a note over it gives back. */
type Left = { id: number; taxableLeft: number; taxLeft: number };

// By so much, in minor units, the rounded tax of a line may make it differ from its share.
const NUDGES = [-3, -2, -1, 0, 1, 2, 3];

/**
 * The lines that give back an amount, with its tax if `withTax`, as a price reduction of each line: a SELECT of JSON, null
 * where the lines have less. Not every amount is a value and its rounded tax: the note's round-off bears what is missing,
 * so the note is that whose sum with the earlier ones comes nearest to their share of the invoice's round-off. All that is
 * left of the invoice is credited only for all that it is worth.
 */
export function spread(
  amount: number,
  lines: readonly Left[],
  { invoice, withTax }: { invoice: { id: number; roundOffLeft: number }; withTax: boolean },
): SQL<string> {
  const gross = lines.map(({ taxableLeft, taxLeft }) => taxableLeft + (withTax ? taxLeft : 0));
  const whole = gross.reduce((total, one) => total + one, 0);
  const worth = withTax ? part(whole, amount, Math.max(0, whole + invoice.roundOffLeft)) : amount;
  const shares = byLargestRemainder(Math.min(worth, whole), gross);
  const taxables = lines.map(({ taxableLeft }, place) =>
    part(taxableLeft, shares[place] ?? 0, gross[place] ?? 0),
  );
  const largest = taxables.indexOf(Math.max(...taxables));
  const nudged = NUDGES.map((by) => taxables.map((taxable, place) => taxable + (place === largest ? by : 0)));
  const all = lines.map(({ taxableLeft }) => taxableLeft);
  const candidates = [...nudged, all].map((values) => linesOf(lines, values));
  const values = creditedValues(sql`candidate.value`, invoice.id, Number(withTax));
  const sum = (value: string) => sql`(SELECT sum(${sql.raw(value)}) FROM (${values}))`;
  const due = roundOffOf(withTax, sql`${roundOffAt(sql`before + taxable`)} - given`);
  // Common table expressions, because SQLite's parser takes no deeper nesting.
  return sql<string>`(WITH tried AS (
      SELECT candidate.key AS place, candidate.value AS lines, ${sum("taxable")} AS taxable,
        ${sum("taxable + cgst + sgst + igst")} AS worth FROM json_each(${JSON.stringify(candidates)}) AS candidate
    ), rounded AS (
      SELECT *, before + taxable = total AS is_all, ${amount} - worth - ${due} AS missed
      FROM tried CROSS JOIN (${roundedSoFar(invoice.id)})
    ) SELECT lines FROM rounded
    WHERE worth > 0 AND NOT (is_all AND missed < 0) AND (SELECT min(missed) FROM rounded) <= 0
    ORDER BY abs(missed), place LIMIT 1)`;
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
