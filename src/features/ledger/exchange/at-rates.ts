import { roundHalfUp } from "#shared/decimal.ts";
import { sum } from "#shared/money/shares.ts";

const MILLIONTHS = 1_000_000n;

/** What an account holds of an invoice or a capture: in the currency of that, and in the currency of the books. */
export type Held = { amount: number; value: number };

/** A line of a document in another currency than the books, in minor units. */
export type ForeignLine = {
  id: number;
  /** The system key of its account; null of a customer's. */
  key: string | null;
  debit: number;
  credit: number;
  /** The amounts that are converted by themselves, where they are those of the document's lines. */
  parts: number[] | null;
  /** The invoice or capture whose rate it has, and the rate in millionths. */
  rate_of: string;
  rate_id: number;
  rate: number;
  held: Held;
};
/** The same as it is posted; `foreign` is what it is in the document's currency, below 0 of a credit. */
export type ConvertedLine = {
  id: number;
  debit: number;
  credit: number;
  foreign: number;
  rate_of?: string;
  rate_id?: number;
};

/** An amount at a rate in millionths, rounded half up. */
export function atRate(amount: number, rate: number): number {
  return Number(roundHalfUp(BigInt(amount) * BigInt(rate), MILLIONTHS));
}

/**
 * The lines of a document in the currency of the books. What settles an account in the document's currency takes what is
 * left on it in the books. An invoice or a credit note balances by the customer's line; what is left open then goes to the
 * account `difference`. Null where that cannot be posted to. `accounts` is what was held before, and is after.
 */
export function atRates(
  lines: readonly ForeignLine[],
  difference: number | null,
  accounts: Map<string, Held>,
): ConvertedLine[] | null {
  const all = lines.map((line) => {
    const { amount: before, value: worth } = accounts.get(`${line.rate_of} ${line.id}`) ?? line.held;
    const amount = line.debit - line.credit;
    const isSettled = before + amount === 0;
    const value = isSettled ? -worth : sum((line.parts ?? [amount]).map((part) => atRate(part, line.rate)));
    // A line of nothing cannot be posted.
    return { line, before, worth, amount, isSettled, value: value === 0 ? Math.sign(amount) : value };
  });
  const open = () => sum(all.map(({ value }) => value));
  const customer = all.find(({ line, isSettled }) => line.parts !== null && line.key === null && !isSettled);
  if (customer !== undefined) customer.value -= open();
  if (open() !== 0 && difference === null) return null;
  for (const { line, before, worth, amount, value } of all)
    accounts.set(`${line.rate_of} ${line.id}`, { amount: before + amount, value: worth + value });
  const posted: ConvertedLine[] = all.map(({ line: { id, rate_of, rate_id }, amount, value }) => ({
    ...{ id, rate_of, rate_id, foreign: amount },
    ...sidesOf(value),
  }));
  return open() === 0 ? posted : [...posted, { id: Number(difference), foreign: 0, ...sidesOf(-open()) }];
}

function sidesOf(value: number) {
  return { debit: Math.max(value, 0), credit: Math.max(-value, 0) };
}
