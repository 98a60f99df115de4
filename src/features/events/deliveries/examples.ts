import { eventExample } from "../examples.ts";

const AT = "2026-11-21T09:30:00.000Z";

export const attemptExample = {
  n: 1,
  at: AT,
  status: 500,
  duration_ms: 84,
  error: "status" as const,
  response_excerpt: "Internal Server Error",
};
export const deliveryExample = {
  id: "12",
  event_id: eventExample.id,
  event_type: eventExample.type,
  event_created_at: eventExample.created_at,
  sequence: eventExample.sequence,
  redelivery: 0,
  state: "pending" as const,
  attempt_count: 1,
  next_attempt_at: "2026-11-21T09:30:05.000Z",
};
export const deliveryDetailExample = {
  ...deliveryExample,
  attempts: [attemptExample],
  request: {
    headers: {
      "Content-Type": "application/json",
      "User-Agent": "CompanyOperations-Webhooks/1 CompanyOperations/1.0.0",
      "webhook-id": eventExample.id,
      "webhook-timestamp": "1795253400",
      "webhook-signature": "v1,...",
    },
    body: eventExample,
  },
};
