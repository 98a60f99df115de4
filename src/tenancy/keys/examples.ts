import { SCOPES } from "#api/operations/scopes.ts";

// No whole secret, not even a made-up one: a scanner would take it for a real one.
const clientId = "ck_7Qm2xV9cRt4LbN8sKp3WzH";
const clientSecret = "sk_...";

export const newKeyExample = {
  name: "Web shop",
  type: "secret",
  scopes: ["invoices:read", "invoices:write", "customers:read"],
};

export const keyExample = {
  client_id: clientId,
  type: "secret",
  name: "Web shop",
  scopes: ["invoices:read", "invoices:write", "customers:read"],
  rights: ["invoices:read", "invoices:write", "customers:read"],
  allowed_origins: [],
  secret: { configured: true, last_four: "k3Zq" },
  previous_secret_expires_at: null,
  rate_limit_per_minute: 600,
  messaging_rate_per_minute: 30,
  messaging_daily_cap: 1_000,
  expires_at: null,
  last_used_at: null,
  created_at: "2026-11-21T09:30:00.000Z",
  updated_at: "2026-11-21T09:30:00.000Z",
};

export const issuedKeyExample = { ...keyExample, client_secret: clientSecret };

export const adminKeyExample = {
  ...issuedKeyExample,
  name: "Administrator",
  scopes: [...SCOPES],
  rights: [...SCOPES],
};

export const rotatedKeyExample = {
  ...issuedKeyExample,
  previous_secret_expires_at: "2026-11-22T09:30:00.000Z",
};
