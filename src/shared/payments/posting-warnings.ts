import * as z from "zod";

/** Why a document has no journal entry. */
export const UNPOSTED_REASONS = [
  "no_financial_year",
  "account_missing",
  "account_inactive",
  "no_exchange_rate",
  "period_locked",
] as const;
export type UnpostedReason = (typeof UNPOSTED_REASONS)[number];

/** What the answer of a write says where it left its journal entry out; otherwise the member is absent. */
export const postingWarnings = z
  .array(z.enum(UNPOSTED_REASONS))
  .optional()
  .meta({ description: "Why no journal entry was posted; absent where one was." });

/** The member `warnings` of such an answer. */
export function warningsOf(reason: UnpostedReason | null | undefined): { warnings?: UnpostedReason[] } {
  return reason == null ? {} : { warnings: [reason] };
}
