import { sql } from "drizzle-orm";
import type { Ctx } from "#core/context.ts";
import { columnsNamed } from "#core/sql/columns.ts";
import { type JsonRow, jsonObject, jsonQuery } from "#core/sql/json.ts";
import type { Language } from "#shared/text/language.ts";
import { profile } from "#tables/company";
import { notificationSettings as settings } from "#tables/notifications";

const shape = {
  ...columnsNamed(settings, "from_name", "default_language", "quiet_from", "quiet_to", "daily_cap"),
  languages: sql<Language[]>`json(${settings.languages})`,
  company_recipients: sql<string[]>`json(${settings.companyRecipients})`,
  company_name: profile.name,
  company_email: profile.email,
  company_phone: profile.phone,
};
/** The settings that every notification of a company is sent by, and its own address. */
export type Setup = JsonRow<typeof shape>;

/** The query for the settings. */
export function setupQuery(ctx: Pick<Ctx, "db">) {
  return jsonQuery(
    ctx,
    sql<Setup>`SELECT ${jsonObject(shape)} AS snapshot FROM ${settings} CROSS JOIN ${profile}`,
  );
}

/** The hours without messages to phones; null for none. */
export function quietHoursOf({ quiet_from: from, quiet_to: to }: Pick<Setup, "quiet_from" | "quiet_to">) {
  return from === null || to === null ? null : { from, to };
}
