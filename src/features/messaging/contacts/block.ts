import { type SQL, sql } from "drizzle-orm";
import { type Failure, failure } from "#providers/delivery";
import type { Channel } from "../messages/tables.ts";
import { contactOptouts, emailSuppressions } from "./tables.ts";

/** How an address is matched: by its whole number where that is known, and by its e-mail or last digits. */
type Item = { e164: SQL | string | null; match: SQL | string };

/** Whether an opt-out is of a number. Digits without their country may be anybody's, so they stop more than whole numbers do. */
export function isOptoutOf(channel: Channel, item: Item): SQL {
  const { e164, match } = contactOptouts;
  return sql`${contactOptouts.channel} = ${channel} AND (${e164} = ${item.e164}
    OR (${match} = ${item.match} AND (${item.e164} IS NULL OR ${e164} IS NULL OR ${e164} = '')))`;
}

/** Who must not be written to: a SELECT that finds a row for such an `item`, and what its status is then. */
export function blockOf(
  channel: Channel,
  now: number,
  isMarketing: boolean,
  item: Item = { e164: sql`item.e164`, match: sql`item.match` },
): { exists: SQL; status: "failed" | "rejected"; failure: Failure } {
  if (channel === "email") {
    const { email, scope, expiresAt } = emailSuppressions;
    return {
      exists: sql`SELECT 1 FROM ${emailSuppressions}
        WHERE ${email} = ${item.match} AND ${scope} IN ('all'${isMarketing ? sql`, 'marketing'` : sql``}) AND (${expiresAt} IS NULL OR ${expiresAt} > ${now})`,
      status: "failed",
      failure: failure("suppressed", "The address is on the suppression list"),
    };
  }
  return {
    exists: sql`SELECT 1 FROM ${contactOptouts} WHERE ${isOptoutOf(channel, item)}`,
    status: channel === "sms" ? "rejected" : "failed",
    failure: failure("not_opted_in", "The person has opted out"),
  };
}
