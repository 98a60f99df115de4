import type { UniqueViolations } from "#platform/write/unique-violations.ts";

/** What the unique indexes of these tables mean to a client. */
export const uniqueViolations: UniqueViolations = {
  "invoices.operation": null,
  "invoices.invoice_number": null,
  "invoices.public_token": null,
  "invoice_items.invoice_id, invoice_items.position": null,
};
