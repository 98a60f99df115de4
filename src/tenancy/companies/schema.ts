import * as z from "zod";
import { emailOf } from "#shared/contact/email-address.ts";
import { patchOf } from "#shared/fields/patch.ts";
import { cleanMultilineText, cleanText } from "#shared/fields/text.ts";
import { timeZone } from "#shared/places/time-zone.ts";
import { companySlug } from "#shared/text/slug.ts";
import { perDay, perMinute } from "#tenancy/keys/schema.ts";

// Names of this service and of database servers, which would mislead in an address.
const RESERVED_SLUGS = ["admin", "api", "control", "default", "docs", "health", "platform", "system", "www"];

const country = z.string().regex(/^[A-Z]{2}$/, "must be a two-letter country code");
const currency = z.string().regex(/^[A-Z]{3}$/, "must be a three-letter currency code");

/** A slug that a company may have. */
export const ownSlug = companySlug.refine((slug) => !RESERVED_SLUGS.includes(slug), {
  error: "must not be a name of the service's own",
  params: { code: "reserved" },
});

export const CompanyCreate = z.object({
  slug: ownSlug.meta({
    description: `Its name in every address; cannot be changed. Not ${RESERVED_SLUGS.join(", ")}. \`doctor-\` and 16 hexadecimal digits name a throw-away company, which is deleted after an hour.`,
  }),
  name: cleanText({ min: 1, max: 255 }).describe("The legal name."),
  state: cleanText({ min: 1, max: 100 })
    .optional()
    .meta({ description: "For India: a state's name, its two letters, or its two-digit GST code." }),
  gstin: z.string().max(20).optional().describe("Checked to its last digit; gives the state too."),
  country: country.default("IN").meta({ description: "ISO 3166-1 alpha-2." }),
  currency: currency.default("INR").meta({ description: "ISO 4217; what its books are kept in." }),
  timezone: timeZone
    .default("Asia/Kolkata")
    .meta({ description: "IANA name; decides what day and financial year it is." }),
  email: emailOf(255).optional(),
  address: cleanMultilineText({ max: 500 }).optional(),
});
/** The most that a company and its keys may have. */
export const ceilings = {
  max_rate_limit_per_minute: perMinute.describe("The most that a key's `rate_limit_per_minute` may be."),
  max_messaging_rate_per_minute: perMinute.meta({
    description: "The most that a key's `messaging_rate_per_minute` may be.",
  }),
  max_messaging_daily_cap: perDay.describe("The most that a key's `messaging_daily_cap` may be."),
  max_calls_per_minute: perMinute.nullable().meta({
    description:
      "Calls in any 60 seconds of all its keys together; publishable keys together make at most half of them. Null: no ceiling.",
  }),
  max_messages_per_day: perDay.nullable().meta({
    description:
      "Messages in one day of UTC, whatever its time zone, of all its keys, its notifications and the invoices that it sends together. Null: no ceiling.",
  }),
  max_keys: z.int().min(1).max(10_000).nullable().meta({
    description:
      "Keys that work at the same time: a new one, and one that ended and is given a later end. Null: no ceiling. An operator may make one more.",
  }),
};
export const CompanyPatch = patchOf(
  z.object({
    ...ceilings,
    name: cleanText({ min: 1, max: 255 }),
    status: z.enum(["active", "suspended"]).describe("Suspended: every call is refused with 403."),
    clock_offset_seconds: z
      .int()
      .min(-10 * 366 * 86_400)
      .max(10 * 366 * 86_400)
      .meta({ description: "Sandbox only: shifts this company's clock, to try holds, caps and expiries." }),
  }),
);
export const CompanyParams = z.object({
  slug: companySlug.meta({ description: "The company's slug.", examples: ["meera"] }),
});

export const SpareDatabaseParams = CompanyParams.extend({
  name: z
    .string()
    .regex(/^[a-z0-9-]{1,63}$/, "must be the name of a database")
    .meta({ description: "The name of the spare database." }),
});

export const databaseName = z.string().regex(/^[\w-]{1,64}$/, "must be the name of a database");
export const SpareDatabaseUse = z.strictObject({
  lost: databaseName.optional().meta({
    description:
      "The name of the company's database that does not answer and is lost: it is not marked then, and its credentials or its access are revoked, so that it is never served again.",
  }),
});

export const SpareDatabase = z
  .object({
    slug: z.string(),
    database: z.string(),
    spare: z.string().nullable(),
  })
  .meta({ id: "SpareDatabase" });
export const DeletedCompany = z
  .object({ slug: z.string(), deleted: z.literal(true) })
  .meta({ id: "DeletedCompany" });

export type CompanyCreate = z.infer<typeof CompanyCreate>;
export type CompanyPatch = z.infer<typeof CompanyPatch>;
export type SpareDatabaseUse = z.infer<typeof SpareDatabaseUse>;
export type SpareDatabaseParams = z.infer<typeof SpareDatabaseParams>;
export type CompanyParams = z.infer<typeof CompanyParams>;
