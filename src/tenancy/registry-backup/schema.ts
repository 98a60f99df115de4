import * as z from "zod";
import { Scope } from "#api/operations/scopes.ts";
import { cleanText } from "#shared/fields/text.ts";
import { parsed } from "#shared/json.ts";
import { timeZone } from "#shared/places/time-zone.ts";
import { ownSlug } from "#tenancy/companies/schema.ts";
import { CLIENT_ID } from "#tenancy/keys/key-format.ts";
import { allowedOrigin } from "#tenancy/keys/origin-entry.ts";

const MOST_COMPANIES = 10 ** 12;
const instant = z.int().min(0);
const limit = z.int().min(0).max(1_000_000);

/** A company as its registry backup holds it, by column names. Any writer of the company's database may have set it. */
export const CompanyCopy = z.object({
  company_id: z.int().min(1).max(MOST_COMPANIES),
  slug: ownSlug,
  name: z.string().min(1).max(255),
  country: z.string().regex(/^[A-Z]{2}$/),
  currency: z.string().regex(/^[A-Z]{3}$/),
  timezone: timeZone,
  status: z.enum(["active", "suspended"]),
  rate_limit_ceiling: limit,
  messaging_rate_ceiling: limit,
  messaging_cap_ceiling: limit,
  calls_ceiling: limit.nullable(),
  messages_ceiling: limit.nullable(),
  keys_ceiling: limit.nullable(),
  created_at: instant,
  updated_at: instant,
});
export type CompanyCopy = z.output<typeof CompanyCopy>;

const hash = z.string().regex(/^[0-9a-f]{64}$/);
/** The same of a key. */
export const KeyCopy = z.object({
  client_id: z.string().regex(CLIENT_ID),
  type: z.enum(["secret", "publishable"]),
  name: cleanText({ min: 1, max: 100 }),
  scopes: jsonOf(z.array(Scope)),
  allowed_origins: jsonOf(z.array(allowedOrigin).max(20)),
  secret_hash: hash.nullable(),
  secret_last_four: z.string().max(4).nullable(),
  previous_secret_hash: hash.nullable(),
  previous_secret_expires_at: instant.nullable(),
  rate_limit_per_minute: limit,
  messaging_rate_per_minute: limit,
  messaging_daily_cap: limit,
  expires_at: instant.nullable(),
  revoked_at: instant.nullable(),
  created_at: instant,
  updated_at: instant,
});
export type KeyCopy = z.output<typeof KeyCopy>;

/** A text that is the JSON of such a value. */
function jsonOf(schema: z.ZodType) {
  return z.string().refine((text) => schema.safeParse(parsed(text)).success);
}
