import type { UniqueViolations } from "#platform/write/unique-violations.ts";

/** What the unique indexes of these tables mean to a client. */
export const uniqueViolations: UniqueViolations = {
  "event_types_wanted.type": null,
  "event_endpoints.operation": null,
  "event_endpoint_types.word, event_endpoint_types.endpoint_id": null,
  "event_deliveries.sequence, event_deliveries.endpoint_id, event_deliveries.ordinal": null,
  "event_attempts.delivery_id, event_attempts.n": null,
};
