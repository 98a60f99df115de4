const AT = "2026-11-21T09:30:00.000Z";

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
    "https://api.example.com/v1/webhooks/sms/demo-traders/msg91/Zm9vYmFyZm9vYmFyZm9vYmFyZm9vYmFyZm9vYmFymFy8",
  last_error: null,
  created_at: AT,
  updated_at: AT,
};
export const providerExample = {
  ...issuedProviderExample,
  callback_url: "https://api.example.com/v1/webhooks/sms/demo-traders/msg91/...mFy8",
};
