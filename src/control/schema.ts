import * as z from "zod";
import { SCOPES, Scope } from "#contract/scopes.ts";
import { emailOf } from "#shared/email-address.ts";
import { patchOf } from "#shared/patch.ts";
import { companySlug } from "#shared/slug.ts";
import { cleanMultilineText, cleanText } from "#shared/text.ts";
import { timeZone } from "#shared/time-zone.ts";
import { allowedOrigin } from "./keys/allowed-origin.ts";

// Names of this service and of database servers, which would mislead in an address.
const RESERVED_SLUGS = ["admin", "api", "control", "default", "docs", "health", "platform", "system", "www"];
const MILLION = 1_000_000;
const perMinute = z.int().min(1).max(MILLION);
const instant = z.iso
  .datetime({ offset: true, error: "must be a date-time such as 2027-01-31T18:30:00Z" })
  .transform((text) => Date.parse(text));
const scopes = z.array(Scope.meta({ id: "Scope" }));
const keyFields = z.object({
  name: cleanText({ min: 1, max: 100 }).meta({ description: "For people: what the key is for." }),
  scopes: scopes
    .max(SCOPES.length)
    .meta({ description: "What a secret key may do. A publishable key has its fixed rights in Bookings." }),
  allowed_origins: z.array(allowedOrigin).max(20).meta({
    description:
      "Where a publishable key works, 1 to 20, such as `https://book.example.com` or `https://*.example.com`. A secret key has none.",
  }),
  rate_limit_per_minute: perMinute.meta({ description: "Calls in any 60 seconds. By default 600." }),
  messaging_rate_per_minute: perMinute.meta({ description: "Messages in any 60 seconds. By default 30." }),
  messaging_daily_cap: z
    .int()
    .min(0)
    .max(MILLION)
    .meta({ description: "Messages in one day of the company's time zone. By default 1,000." }),
  expires_at: instant.nullable().meta({ description: "From then on the key is refused. Null: never." }),
});

export const KeyCreate = keyFields
  .extend({
    type: z
      .enum(["secret", "publishable"])
      .meta({ description: "`publishable` for browsers, Bookings only." }),
  })
  .partial({
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
    .literal([0, 3_600, 86_400, 604_800])
    .meta({ description: "How long the old secret still works: 0, 1 hour, 1 day or 7 days." }),
});
export const KeyParams = z.object({
  client_id: z.string().meta({ description: "The key's id, `ck_...` or `pk_...`." }),
});

const timestamp = z.string().meta({ format: "date-time" });

export const Key = z
  .object({
    client_id: z.string().meta({ description: "Sent as `X-Client-Id`." }),
    type: z.enum(["secret", "publishable"]),
    name: z.string(),
    scopes,
    allowed_origins: z
      .array(z.string())
      .meta({ description: "Normalised: lower case, no path, no default port." }),
    secret: z
      .object({ configured: z.boolean(), last_four: z.string() })
      .nullable()
      .meta({ description: "Null for a publishable key, which has none." }),
    previous_secret_expires_at: timestamp
      .nullable()
      .meta({ description: "Until when the secret before the last rotation works." }),
    rate_limit_per_minute: z.int().meta({ description: "Calls in any 60 seconds." }),
    messaging_rate_per_minute: z.int().meta({ description: "Messages in any 60 seconds." }),
    messaging_daily_cap: z.int().meta({ description: "Messages in one day of the company's time zone." }),
    expires_at: timestamp.nullable(),
    last_used_at: timestamp.nullable().meta({ description: "To the hour." }),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "Key" });
/** A key just made or rotated: the only answer that shows its secret. */
export const IssuedKey = Key.extend({
  client_secret: z.string().nullable().meta({
    description:
      "Sent as `X-Client-Secret`; shown only now. Null for a publishable key, and once an administrator's key was used.",
  }),
}).meta({ id: "IssuedKey" });
export const RevokedKey = z.object({ client_id: z.string(), revoked: z.literal(true) });

const country = z.string().regex(/^[A-Z]{2}$/, "must be a two-letter country code");
const currency = z.string().regex(/^[A-Z]{3}$/, "must be a three-letter currency code");

export const CompanyCreate = z.object({
  slug: companySlug
    .refine((slug) => !RESERVED_SLUGS.includes(slug), {
      error: "must not be a name of the service's own",
      params: { code: "reserved" },
    })
    .meta({
      description: `Its name in every address; cannot be changed. Not ${RESERVED_SLUGS.join(", ")}. \`doctor-\` and 16 hexadecimal digits name a throw-away company, which is deleted after an hour.`,
    }),
  name: cleanText({ min: 1, max: 255 }),
  state: cleanText({ min: 1, max: 100 })
    .optional()
    .meta({ description: "For India: a state's name, its two letters, or its two-digit GST code." }),
  gstin: z
    .string()
    .max(20)
    .optional()
    .meta({ description: "Checked to its last digit; gives the state too." }),
  country: country.default("IN").meta({ description: "ISO 3166-1 alpha-2." }),
  currency: currency.default("INR").meta({ description: "ISO 4217; what its books are kept in." }),
  timezone: timeZone
    .default("Asia/Kolkata")
    .meta({ description: "IANA name; decides what day and financial year it is." }),
  email: emailOf(255).optional(),
  address: cleanMultilineText({ max: 500 }).optional(),
});
const keyCeilings = {
  max_rate_limit_per_minute: perMinute.meta({
    description: "The most that a key's `rate_limit_per_minute` may be.",
  }),
  max_messaging_rate_per_minute: perMinute.meta({
    description: "The most that a key's `messaging_rate_per_minute` may be.",
  }),
  max_messaging_daily_cap: z
    .int()
    .min(0)
    .max(MILLION)
    .meta({ description: "The most that a key's `messaging_daily_cap` may be." }),
};
export const CompanyPatch = patchOf(
  z.object({
    ...keyCeilings,
    name: cleanText({ min: 1, max: 255 }),
    status: z
      .enum(["active", "suspended"])
      .meta({ description: "Suspended: every call is refused with 403." }),
    clock_offset_seconds: z
      .int()
      .min(-10 * 366 * 86_400)
      .max(10 * 366 * 86_400)
      .meta({ description: "Sandbox only: shifts this company's clock, to try holds, caps and expiries." }),
  }),
);
export const CompanyParams = z.object({ slug: companySlug.meta({ description: "The company's slug." }) });

export const Company = z
  .object({
    slug: z.string(),
    name: z.string(),
    country: z.string().meta({ description: "ISO 3166-1 alpha-2." }),
    currency: z.string().meta({ description: "ISO 4217." }),
    timezone: z.string().meta({ description: "IANA name." }),
    status: z.enum(["active", "suspended"]),
    ...keyCeilings,
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "Company" });
export const CreatedCompany = Company.extend({
  admin_key: z.object({ client_id: z.string(), client_secret: z.string().nullable() }).meta({
    description:
      "A secret key of every scope. Its secret is shown again to a retry with the same Idempotency-Key, until the key is first used: null from then on.",
  }),
}).meta({ id: "CreatedCompany" });
export const Migrated = z.object({
  id: z.string().meta({ description: "`control`, or the company's slug." }),
  applied: z.array(z.string()).meta({ description: "The migrations that were missing, in order." }),
  durability: z.enum(["strong", "set", "unmanaged"]).meta({
    description:
      "Whether commits survive a power cut. `strong`: they did; `set`: they do from now on, which sqld was told; `unmanaged`: the database is not one of `SQLD_DATABASE_URL`.",
  }),
});
export const MigratedCompany = Migrated.extend({
  token: z.enum(["kept", "renewed"]).meta({
    description:
      "`renewed`: the company's database was opened by an older token, and from now on by `SQLD_DATABASE_TOKEN`.",
  }),
});
export const MigrationState = z.object({
  missing: z.array(z.string()).meta({ description: "The migrations of the control database that are due." }),
  durability: z.enum(["strong", "relaxed", "unmanaged", "unknown"]).meta({
    description:
      "Whether its commits survive a power cut. `unmanaged`: the database is not one of `SQLD_DATABASE_URL`; `unknown`: the database provider did not say.",
  }),
});
export const DeletedCompany = z.object({ slug: z.string(), deleted: z.literal(true) });
const Broken = z.object({
  invariant: z.string().meta({ description: "The sentence that does not hold." }),
  rows: z.int().meta({ description: "How many records break it." }),
  ids: z.array(z.string()).meta({ description: "Up to 20 of them." }),
});
export const BooksCheck = z.object({
  sound: z.boolean(),
  broken: z.array(Broken).meta({ description: "Empty for a sound company." }),
  open: z
    .array(Broken)
    .meta({ description: "What is no fault, but waits for somebody: documents without a journal entry." }),
});
export const SelfCheck = BooksCheck.extend({
  slug: z.string(),
  skipped: z
    .array(z.string())
    .meta({ description: "What was not looked at: `storage`, in a database above 2 GB." }),
});

export type KeyCreate = z.infer<typeof KeyCreate>;
export type KeyPatch = z.infer<typeof KeyPatch>;
export type KeyRotate = z.infer<typeof KeyRotate>;
export type KeyParams = z.infer<typeof KeyParams>;
export type CompanyCreate = z.infer<typeof CompanyCreate>;
export type CompanyPatch = z.infer<typeof CompanyPatch>;
export type CompanyParams = z.infer<typeof CompanyParams>;
