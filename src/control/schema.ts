import * as z from "zod";
import { patchOf } from "#shared/patch.ts";
import { companySlug } from "#shared/slug.ts";
import { cleanMultilineText, cleanText } from "#shared/text.ts";
import { allowedOrigin } from "./allowed-origin.ts";
import { SCOPES, Scope } from "./scopes.ts";

const MILLION = 1_000_000;
const perMinute = z.int().min(1).max(MILLION);
const instant = z.iso
  .datetime({ offset: true, error: "must be a date-time such as 2027-01-31T18:30:00Z" })
  .transform((text) => Date.parse(text));
const timeZone = z
  .string()
  .refine(isTimeZone, { params: { code: "invalid_timezone" }, error: "must be an IANA time zone" });

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return !name.startsWith("+") && !name.startsWith("-");
  } catch {
    return false;
  }
}

const keyFields = z.object({
  name: cleanText({ min: 1, max: 100 }),
  scopes: z
    .array(Scope)
    .max(SCOPES.length)
    .meta({ description: "What a secret key may do. A publishable key has its fixed rights in Bookings." }),
  allowed_origins: z
    .array(allowedOrigin)
    .max(20)
    .meta({ description: "Where a publishable key works. Empty: nowhere." }),
  rate_limit_per_minute: perMinute,
  messaging_rate_per_minute: perMinute,
  messaging_daily_cap: z.int().min(0).max(MILLION),
  expires_at: instant.nullable(),
});

export const KeyCreate = keyFields.extend({ type: z.enum(["secret", "publishable"]) }).partial({
  scopes: true,
  allowed_origins: true,
  rate_limit_per_minute: true,
  messaging_rate_per_minute: true,
  messaging_daily_cap: true,
  expires_at: true,
});
export const KeyPatch = patchOf(keyFields);
export const KeyRotate = z.object({
  overlap_seconds: z
    .union([z.literal(0), z.literal(3_600), z.literal(86_400), z.literal(604_800)])
    .meta({ description: "How long the old secret still works: 0, 1 hour, 1 day or 7 days." }),
});
export const KeyParams = z.object({ client_id: z.string() });

export const Key = z.object({
  client_id: z.string(),
  type: z.enum(["secret", "publishable"]),
  name: z.string(),
  scopes: z.array(Scope),
  allowed_origins: z.array(z.string()),
  secret: z
    .object({ configured: z.boolean(), last_four: z.string() })
    .nullable()
    .meta({ description: "Null for a publishable key, which has none." }),
  previous_secret_expires_at: z.string().nullable(),
  rate_limit_per_minute: z.int(),
  messaging_rate_per_minute: z.int(),
  messaging_daily_cap: z.int(),
  expires_at: z.string().nullable(),
  last_used_at: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
});
/** A key just made or rotated: the only answer that shows its secret. */
export const IssuedKey = Key.extend({ client_secret: z.string().nullable() });
export const RevokedKey = z.object({ client_id: z.string(), revoked: z.literal(true) });

const country = z.string().regex(/^[A-Z]{2}$/, "must be a two-letter country code");
const currency = z.string().regex(/^[A-Z]{3}$/, "must be a three-letter currency code");

export const CompanyCreate = z.object({
  slug: companySlug,
  name: cleanText({ min: 1, max: 255 }),
  state: cleanText({ min: 1, max: 100 }).optional(),
  gstin: z.string().max(20).optional(),
  country: country.default("IN"),
  currency: currency.default("INR"),
  timezone: timeZone.default("Asia/Kolkata"),
  email: z.email("must be an e-mail address").max(255).optional(),
  address: cleanMultilineText({ max: 500 }).optional(),
});
export const CompanyPatch = patchOf(
  z.object({
    name: cleanText({ min: 1, max: 255 }),
    status: z.enum(["active", "suspended"]),
    clock_offset_seconds: z
      .int()
      .min(-10 * 366 * 86_400)
      .max(10 * 366 * 86_400)
      .meta({ description: "Sandbox only: shifts this company's clock, to try holds, caps and expiries." }),
  }),
);
export const CompanyParams = z.object({ slug: companySlug });

export const Company = z.object({
  slug: z.string(),
  name: z.string(),
  country: z.string(),
  currency: z.string(),
  timezone: z.string(),
  status: z.enum(["active", "suspended"]),
  created_at: z.string(),
  updated_at: z.string(),
});
export const CreatedCompany = Company.extend({
  admin_key: z.object({ client_id: z.string(), client_secret: z.string() }),
});
export const Migrated = z.object({
  id: z.string().meta({ description: "`control`, or the company's slug." }),
  applied: z.array(z.string()),
});

export type KeyCreate = z.infer<typeof KeyCreate>;
export type KeyPatch = z.infer<typeof KeyPatch>;
export type KeyRotate = z.infer<typeof KeyRotate>;
export type KeyParams = z.infer<typeof KeyParams>;
export type CompanyCreate = z.infer<typeof CompanyCreate>;
export type CompanyPatch = z.infer<typeof CompanyPatch>;
export type CompanyParams = z.infer<typeof CompanyParams>;
