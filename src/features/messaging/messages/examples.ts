export const messageExample = {
  id: "msg_01KAJ0V5Y3Q8R6N2T4W7X9Z1BC",
  channel: "sms" as const,
  status: "delivered" as const,
  to: "919845012345",
  created_at: "2026-11-21T09:30:00.000Z",
  send_at: null,
  resent_from: null,
  source: "api" as const,
  rule: null,
  delivered_at: "2026-11-21T09:30:04.000Z",
  read_at: null,
  failed_at: null,
  error: null,
  provider_message_id: "3763646c3058373530393938",
  encoding: "GSM-7" as const,
  segments: 1,
  type: "transactional",
  sender_id: "DEMOTR",
  template_id: "1107161234567890123",
};
/** What is different of one that was scheduled, and cancelled. */
export const cancelledExample = {
  status: "failed" as const,
  send_at: "2026-11-22T09:30:00.000Z",
  delivered_at: null,
  failed_at: "2026-11-21T10:00:00.000Z",
  error: {
    code: "cancelled",
    message: "The message was cancelled before it was sent",
    provider_code: null,
  },
  provider_message_id: null,
};
