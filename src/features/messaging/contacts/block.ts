import { type SQL, sql } from "drizzle-orm";
import { type Failure, failure } from "#providers/delivery";
import { contactOptouts, emailSuppressions } from "#tables/messaging";
import type { Channel } from "../messages/channel.ts";
import type { KeyedHashes } from "./keyed-hashes.ts";

/** How an address is matched: by its whole number where that is known, and by its e-mail or last digits. */
type Item = { e164: SQL | string | null; match: SQL | string };

/** Whether an opt-out is of a number. Digits without their country may be anybody's, so they stop more than whole numbers do. */
export function isOptoutOf(channel: Channel, item: Item): SQL {
  const { e164, match } = contactOptouts;
  return sql`${contactOptouts.channel} = ${channel} AND (${e164} = ${item.e164}
    OR (${match} = ${item.match} AND (${item.e164} IS NULL OR ${e164} = '')))`;
}

/** Whether an opt-out is that of an erased person with a number: by its hashes alone. */
export function isErasedOptoutOf(channel: Channel, number: string | null, hashes: KeyedHashes): SQL {
  const { e164, match } = contactOptouts;
  return sql`${contactOptouts.channel} = ${channel} AND ${match} = ${hashes.match}
    AND (${e164} IN ('', ${hashes.e164}) OR ${number} IS NULL)`;
}

/**
 * Who must not be written to: a SELECT that finds a row for such an `item`, and what its status is then; with `erased` also
 * by the hashes of persons who were erased.
 */
export function blockOf(
  channel: Channel,
  now: number,
  isMarketing: boolean,
  item: Item = { e164: sql`item.e164`, match: sql`item.match` },
  erased?: { number: string | null; hashes: KeyedHashes },
): { exists: SQL; status: "failed" | "rejected"; failure: Failure } {
  if (channel === "email") {
    const { email, scope, expiresAt } = emailSuppressions;
    return {
      exists: sql`SELECT 1 FROM ${emailSuppressions}
        WHERE ${email} IN (${item.match}, ${erased?.hashes.match ?? null}) AND ${scope} IN ('all'${isMarketing ? sql`, 'marketing'` : sql``}) AND (${expiresAt} IS NULL OR ${expiresAt} > ${now})`,
      status: "failed",
      failure: failure("suppressed", "The address is on the suppression list"),
    };
  }
  const inClear = sql`SELECT 1 FROM ${contactOptouts} WHERE ${isOptoutOf(channel, item)}`;
  const byHash =
    erased &&
    sql`UNION ALL SELECT 1 FROM ${contactOptouts} WHERE ${isErasedOptoutOf(channel, erased.number, erased.hashes)}`;
  return {
    exists: byHash === undefined ? inClear : sql`${inClear} ${byHash}`,
    status: channel === "sms" ? "rejected" : "failed",
    failure: failure("not_opted_in", "The person has opted out"),
  };
}
