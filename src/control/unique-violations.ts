import type { UniqueViolations } from "#platform/write/unique-violations.ts";

/** What the unique indexes of these tables mean to a client. */
export const uniqueViolations: UniqueViolations = {
  "companies.slug": "conflict",
  "erasures.company_id, erasures.action, erasures.record": null,
  "abandoned_databases.name": null,
  "api_keys.client_id": null,
  "key_copies.client_id": null,
  "chatapp_numbers.phone_number_id": "conflict",
};
