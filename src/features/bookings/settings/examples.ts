export const settingsExample = {
  timezone: "Australia/Sydney",
  currency: "AUD",
  slot_length_minutes: 60,
  slot_step_minutes: 60,
  buffer_minutes: 15,
  min_notice_minutes: 120,
  advance_days: 90,
  hold_minutes: 15,
  pending_hours: 48,
  cancel_window_hours: 24,
  default_radius_km: 15,
  online_payment_enabled: true,
  confirm_free: false,
  updated_at: "2026-11-21T09:30:00.000Z",
};
export const staffSettingsExample = {
  ...settingsExample,
  issue_invoices: null,
  refund_on_cancel: "off" as const,
  turnstile: {
    mode: "off" as const,
    site_key: null,
    secret: { configured: false, last_four: null },
  },
};
