import { sql } from "drizzle-orm";
import * as z from "zod";
import { dateTime, from, internal, nullable } from "#core/sql/fields.ts";
import { type RowOf, record } from "#core/sql/record.ts";
import { companies, companyUpkeep } from "#tables/tenancy";
import { ceilings } from "./schema.ts";

const STATUSES = ["active", "suspended", "closed"] as const;
// No SELECT of it finds a company whose creation has not ended.
const status = sql<
  (typeof STATUSES)[number]
>`iif(${companies.closedAt} IS NULL, ${companies.status}, 'closed')`;

function ofUpkeep(column: "backed_up_at" | "checked_at" | "broken_rules" | "token_renewed_at") {
  return sql<
    number | null
  >`(SELECT ${sql.identifier(column)} FROM ${companyUpkeep} WHERE company_id = ${companies.id})`;
}

/** A company as the operator sees it. */
export const company = record(
  companies,
  {
    id: internal<number>(),
    slug: z.string(),
    name: z.string().describe("The legal name."),
    country: z.string().meta({ description: "ISO 3166-1 alpha-2." }),
    currency: z.string().meta({ description: "ISO 4217." }),
    timezone: z.string().meta({ description: "IANA name." }),
    status: from(status, z.enum(STATUSES).describe("Its keys work while it is `active`.")),
    database: from(companies.databaseName, z.string()),
    spare_database: from(
      companies.spareDatabaseName,
      z
        .string()
        .nullable()
        .meta({ description: "The name of the database that a restore has replaced, or has yet to fill." }),
    ),
    max_rate_limit_per_minute: from(companies.rateLimitCeiling, ceilings.max_rate_limit_per_minute),
    max_messaging_rate_per_minute: from(
      companies.messagingRateCeiling,
      ceilings.max_messaging_rate_per_minute,
    ),
    max_messaging_daily_cap: from(companies.messagingCapCeiling, ceilings.max_messaging_daily_cap),
    max_calls_per_minute: from(companies.callsCeiling, ceilings.max_calls_per_minute),
    max_messages_per_day: from(companies.messagesCeiling, ceilings.max_messages_per_day),
    max_keys: from(companies.keysCeiling, ceilings.max_keys),
    backed_up_at: from(ofUpkeep("backed_up_at"), nullable(dateTime)),
    checked_at: from(ofUpkeep("checked_at"), nullable(dateTime)),
    broken_rules: from(
      ofUpkeep("broken_rules"),
      z.int().nullable().describe("How many rules its records broke when they were last checked."),
    ),
    token_renewed_at: from(ofUpkeep("token_renewed_at"), nullable(dateTime)),
    created_at: dateTime,
    updated_at: dateTime,
  },
  "Company",
);
export type CompanyRow = RowOf<typeof company>;

/** A company just opened, with its first key. */
export const CreatedCompany = company.schema
  .extend({
    admin_key: z.object({ client_id: z.string(), client_secret: z.string().nullable() }).meta({
      description:
        "A secret key of every scope. Its secret is shown again to a retry with the same Idempotency-Key, until the key is first used: null from then on.",
    }),
  })
  .meta({ id: "CreatedCompany" });
