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
