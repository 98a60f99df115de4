import type { ProblemCode } from "#shared/problem.ts";

/**
 * What each unique index means to a client, by the columns that the database names.
 * `null`: only a fault of ours can break it, so it stays a 500. A test walks the schema and fails on a missing one.
 */
export const UNIQUE_VIOLATIONS: Record<string, ProblemCode | null> = {
  "operations.scope": null,
  "number_series.series, number_series.period": null,
  "migrations.name": null,
  "companies.slug": "conflict",
  "api_keys.client_id": null,
  "units.code": "conflict",
  "locations.operation": null,
  "accounts.code": null,
  "accounts.name": "duplicate_name",
  "accounts.party_type, accounts.party_id": null,
  "financial_years.name": null,
  "journal_entries.entry_number": null,
  "journal_entries.reversal_of": null,
  "journal_entries.operation, journal_entries.ordinal": null,
  "journal_entries.source_type, journal_entries.source_id, journal_entries.voucher_type": null,
  "journal_lines.entry_id, journal_lines.position": null,
  "customers.operation": null,
  "customers.gstin": "duplicate_customer",
  "invoices.operation": null,
  "invoices.invoice_number": null,
  "invoices.public_token": null,
  "invoice_items.invoice_id, invoice_items.position": null,
  "categories.name": "duplicate_name",
  "products.operation": null,
  "products.sku": "duplicate_sku",
  "batches.product_id, batches.batch_number": null,
  "payment_modes.name": "duplicate_name",
  "payments.operation": null,
  "payments.payment_number": null,
  "payments.gateway, payments.gateway_payment_id": null,
};
