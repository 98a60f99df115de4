export const eventExample = {
  id: "evt_0f3a9c1b7d5e2846a0b1c2d3",
  type: "payment.refunded",
  sequence: 4711,
  created_at: "2026-11-21T09:30:00.000Z",
  company: "demo-traders",
  api_version: "1.0.0",
  actor: { type: "secret", id: "ck_8aB3cD5eF7a1B2c3D4e5F6", name: "Back office" },
  request_id: "req_01JD7ZK3V8QW9XY2ABCDEFGHJK",
  data: { id: "5" },
  previous: null,
  related: { invoice_id: "7" },
  data_omitted: true,
};
