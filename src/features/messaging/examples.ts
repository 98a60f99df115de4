const ID = "msg_01KAJ0V5Y3Q8R6N2T4W7X9Z1BC";
const AT = "2026-11-21T09:30:00.000Z";

export const newSmsExample = {
  to: "919845012345",
  message: "Dear Meera, your order 1042 is ready for pickup. - DEMOTR",
  sender_id: "DEMOTR",
  template_id: "1107161234567890123",
  type: "transactional" as const,
};
export const sentSmsExample = {
  id: ID,
  channel: "sms" as const,
  status: "queued" as const,
  to: "919845012345",
  created_at: AT,
};
export const newChatappExample = {
  to: "919845012345",
  type: "template" as const,
  template: { name: "order_ready", language: "en", variables: ["Meera", "1042"] },
};
export const sentChatappExample = { ...sentSmsExample, channel: "chatapp" as const, status: "sent" as const };
export const newEmailExample = {
  to: [{ email: "meera@example.com", name: "Meera Nair" }, "accounts@example.com"],
  subject: "Your order 1042 is ready",
  html: "<p>Dear Meera,</p><p>your order <b>1042</b> is ready for pickup.</p>",
};
export const sentEmailExample = {
  id: ID,
  channel: "email" as const,
  status: "sent" as const,
  to: ["meera@example.com", "accounts@example.com"],
  sent_count: 2,
  failed: [],
  created_at: AT,
};
export const messageExample = {
  id: ID,
  channel: "sms" as const,
  status: "delivered" as const,
  to: "919845012345",
  created_at: AT,
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
export const issuedProviderExample = {
  id: "1",
  channel: "sms" as const,
  kind: "msg91",
  config: { country: "91", default_sender_id: "DEMOTR", auth_key: { configured: true, last_four: "c9f1" } },
  is_active: true,
  is_default: true,
  status: "active" as const,
  paused_at: null,
  callback_url:
    "https://api.example.com/v1/webhooks/sms/acme/msg91/Zm9vYmFyZm9vYmFyZm9vYmFyZm9vYmFyZm9vYmFymFy8",
  last_error: null,
  created_at: AT,
  updated_at: AT,
};
export const providerExample = {
  ...issuedProviderExample,
  callback_url: "https://api.example.com/v1/webhooks/sms/acme/msg91/...mFy8",
};
export const templateExample = {
  id: "1",
  template_id: "1107161234567890123",
  text: "Dear {#var#}, your order {#var#} is ready for pickup. - DEMOTR",
  sender_id: "DEMOTR",
  pe_id: null,
  created_at: AT,
  updated_at: AT,
};
export const optoutExample = {
  id: "1",
  channel: "sms" as const,
  address: "919845012345",
  e164: "+919845012345",
  source: "manual" as const,
  created_at: AT,
};
export const suppressionExample = {
  id: "1",
  email: "meera@example.com",
  reason: "manual" as const,
  expires_at: null,
  created_at: AT,
};
