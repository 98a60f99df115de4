import { BOOKS_CURRENCY } from "./books.ts";

/** Why a document has no journal entry. */
export const UNPOSTED_REASONS = [
  "no_financial_year",
  "account_missing",
  "account_inactive",
  "no_exchange_rate",
  "other_currency",
  "period_locked",
  "invoice_unposted",
] as const;
export type UnpostedReason = (typeof UNPOSTED_REASONS)[number];

/** Why a document in another currency than the books has no entry while it has no exchange rate, in the word of these books. */
export function whyNotInBooks(booksCurrency: string): UnpostedReason {
  return booksCurrency === BOOKS_CURRENCY ? "no_exchange_rate" : "other_currency";
}
