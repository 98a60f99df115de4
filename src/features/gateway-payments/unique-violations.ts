import type { UniqueViolations } from "#platform/write/unique-violations.ts";

/** What the unique indexes of these tables mean to a client. */
export const uniqueViolations: UniqueViolations = {
  "gateway_accounts.operation": null,
  "payment_intents.operation": null,
  "payment_intents.gateway, payment_intents.gateway_order_id": null,
  "payment_intents.gateway, payment_intents.gateway_payment_id": null,
  "gateway_events.gateway, gateway_events.event_id": null,
};
