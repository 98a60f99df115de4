import { Router } from "#api/operations/operation.ts";
import { getProfile, renderProfile, updateProfile } from "./profile.ts";
import { Profile, ProfilePatch } from "./schema.ts";

const profileExample = {
  name: "Demo Traders",
  gstin: "29AABCR1718E1ZL",
  state: "Karnataka",
  state_code: "29",
  country: "IN",
  currency: "INR",
  timezone: "Asia/Kolkata",
  address: "12 MG Road, Bengaluru 560001",
  email: "accounts@demo.example",
  phone: null,
  logo_url: null,
  upi_id: "demotraders@okbank",
  invoice_prefix: "INV",
  allow_negative_stock: false,
  lut_number: null,
  lut_valid_until: null,
  updated_at: "2026-11-21T09:30:00.000Z",
};

export const profileRoutes = new Router("Settings: Company")
  .add(
    {
      id: "getProfile",
      method: "get",
      path: "/settings/:company/profile",
      summary: "Read the company's profile",
      scope: "settings:read",
      result: Profile,
      example: { result: profileExample },
      render: renderProfile,
    },
    getProfile,
  )
  .add(
    {
      id: "updateProfile",
      method: "patch",
      changes: [],
      path: "/settings/:company/profile",
      summary: "Change the company's profile",
      description:
        "Invoices that were issued keep the particulars of their day. `email` and `phone`, which notifications go to, ask also for `settings:read` and `orders:read`; the old address gets a notice. `upi_id`, which unpaid invoices show, asks also for `payments:write`; the company gets a notice.",
      scope: "settings:write",
      body: ProfilePatch,
      result: Profile,
      problems: ["no_accepted_fields", "invalid_gstin", "gstin_state_mismatch", "invalid_state"],
      example: { body: { upi_id: "demotraders@okbank" }, result: profileExample },
      render: renderProfile,
    },
    updateProfile,
  );
