import type { UniqueViolations } from "#platform/write/unique-violations.ts";

/** What the unique indexes of these tables mean to a client. */
export const uniqueViolations: UniqueViolations = {
  "payment_modes.name": "duplicate_name",
  "payments.operation": null,
  "payments.payment_number": null,
  "payments.gateway, payments.gateway_payment_id": null,
};
