import * as z from "zod";

/** Every scope there is. One that writes opens no read; a write answers the record that it wrote. */
export const SCOPES = [
  "invoices:read",
  "invoices:write",
  "customers:read",
  "customers:write",
  "products:read",
  "products:write",
  "payments:read",
  "payments:write",
  "refunds:write",
  "messages:sms:send",
  "messages:chatapp:send",
  "messages:email:send",
  "messages:read",
  "messages:write",
  "job_openings.read",
  "applications.write",
  "capture_leads",
  "view_lead_sources",
  "storefront",
  "orders:read",
  "orders:write",
  "projects.read",
  "projects.write",
  "bookings.read",
  "bookings.write",
  "diary:read",
  "diary:write",
  "settings:read",
  "settings:write",
  "events:read",
  "keys:read",
  "keys:write",
  "ledger:read",
  "ledger:write",
  "mcp:write",
] as const;

export const Scope = z.enum(SCOPES);
export type Scope = z.infer<typeof Scope>;
