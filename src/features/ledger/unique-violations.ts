import type { UniqueViolations } from "#platform/write/unique-violations.ts";

/** What the unique indexes of these tables mean to a client. */
export const uniqueViolations: UniqueViolations = {
  "accounts.code": null,
  "accounts.name": "duplicate_name",
  "accounts.party_type, accounts.party_id": null,
  "financial_years.name": null,
  "journal_entries.entry_number": null,
  "journal_entries.reversal_of": null,
  "journal_entries.operation, journal_entries.ordinal": null,
  "journal_entries.source_type, journal_entries.source_id, journal_entries.voucher_type": null,
  "journal_lines.entry_id, journal_lines.position": null,
  "unposted.source_type, unposted.source_id, unposted.voucher_type": null,
};
