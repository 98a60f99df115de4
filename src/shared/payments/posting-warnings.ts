/** Why a document has no journal entry. */
export const UNPOSTED_REASONS = [
  "no_financial_year",
  "account_missing",
  "account_inactive",
  "no_exchange_rate",
  "period_locked",
] as const;
export type UnpostedReason = (typeof UNPOSTED_REASONS)[number];
