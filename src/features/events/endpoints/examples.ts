const AT = "2026-11-21T09:30:00.000Z";

export const newEndpointExample = {
  url: "https://hooks.example.com/company-events",
  description: "Our warehouse",
  types: ["invoice.*", "payment.recorded"],
};
export const endpointExample = {
  id: "1",
  ...newEndpointExample,
  is_active: true,
  state: "ok" as const,
  disabled_reason: null,
  secret: { configured: true as const, last_four: "n0U=" },
  previous_secret_expires_at: null,
  last_success_at: null,
  last_failure_at: null,
  pending: 0,
  created_at: AT,
  updated_at: AT,
};
export const issuedEndpointExample = {
  ...endpointExample,
  secret: "whsec_Zm9yIHRoZSBkb2N1bWVudCBvbmx5OiAzMiBieXRlcywn0U=",
};
