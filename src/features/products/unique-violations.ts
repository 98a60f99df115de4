import type { UniqueViolations } from "#platform/write/unique-violations.ts";

/** What the unique indexes of these tables mean to a client. */
export const uniqueViolations: UniqueViolations = {
  "units.code": "conflict",
  "categories.name": "duplicate_name",
  "products.operation": null,
  "products.sku": "duplicate_sku",
  "batches.product_id, batches.batch_number": null,
};
