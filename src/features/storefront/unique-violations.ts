import type { UniqueViolations } from "#platform/write/unique-violations.ts";

/** What the unique indexes of these tables mean to a client. */
export const uniqueViolations: UniqueViolations = {
  "sales_orders.operation": null,
  "sales_orders.order_number": null,
  "sales_orders.invoice_id": null,
};
