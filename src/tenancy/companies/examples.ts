import { issuedKeyExample } from "#tenancy/keys/examples.ts";

export const newCompanyExample = {
  slug: "meera",
  name: "Meera Traders",
  gstin: "29AABCR1718E1ZL",
  email: "accounts@meera.example",
};

export const companyExample = {
  slug: "meera",
  name: "Meera Traders",
  country: "IN",
  currency: "INR",
  timezone: "Asia/Kolkata",
  status: "active",
  database: "co-01kax8z1t2",
  spare_database: null,
  max_rate_limit_per_minute: 1_000_000,
  max_messaging_rate_per_minute: 1_000_000,
  max_messaging_daily_cap: 1_000_000,
  max_calls_per_minute: null,
  max_messages_per_day: null,
  max_keys: null,
  backed_up_at: "2026-11-21T02:00:00.000Z",
  checked_at: null,
  broken_rules: null,
  token_renewed_at: null,
  created_at: "2026-11-21T09:30:00.000Z",
  updated_at: "2026-11-21T09:30:00.000Z",
};

export const createdCompanyExample = {
  ...companyExample,
  admin_key: { client_id: issuedKeyExample.client_id, client_secret: issuedKeyExample.client_secret },
};
