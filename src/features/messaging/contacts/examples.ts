const AT = "2026-11-21T09:30:00.000Z";

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
  scope: "all" as const,
  reason: "manual" as const,
  expires_at: null,
  created_at: AT,
};
