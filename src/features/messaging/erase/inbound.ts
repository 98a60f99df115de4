import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Erasure } from "#core/write/erasures.ts";
import { forgetSnapshots } from "#core/write/events.ts";
import { among, MOST_AT_ONCE, type Person, personEraser } from "#features/erasures";
import { phoneDigits } from "#shared/contact/phone.ts";
import { chatappWindows, inboundMessages as inbound } from "#tables/messaging";
import { isNamed } from "../contacts/matching.ts";

const known = alias(chatappWindows, "known");

/** The windows of whom these numbers and ids name; as what follows FROM. */
const windowsOf = (given: SQL) => sql`${chatappWindows} WHERE ${chatappWindows.phone} IN (${given})
  OR ${chatappWindows.person} IN (SELECT value FROM (${given}) AS given
    UNION SELECT ${known.person} FROM ${chatappWindows} AS ${known} WHERE ${known.phone} IN (${given}))`;

const ids = (left: Parameters<Erasure["erase"]>[0]) => sql`SELECT record FROM (${left})`;

/** Erases again what a person wrote to the company, and that they wrote. */
export const inboundOfPersonErasure: Erasure = {
  action: "eraseInbound",
  left: (given) => sql`SELECT record FROM ${given} JOIN ${inbound}
    ON ${inbound.id} = record AND ${inbound.receivedAt} <= at`,
  forget: (left) => [forgetSnapshots("inbound_message", ids(left))],
  erase: (left) => [
    // Only what a person writes opens a window, and it is kept as long: so a window of a backup is found by that.
    sql`DELETE FROM ${windowsOf(sql`SELECT ltrim(${inbound.sender}, '+') AS value FROM ${inbound} WHERE ${inbound.id} IN (${ids(left)})`)}`,
    sql`DELETE FROM ${inbound} WHERE ${inbound.id} IN (${ids(left)})`,
  ],
};

/** What a person wrote, by their whole number. */
export const inboundEraser = personEraser<{ id: string }>({
  erasure: inboundOfPersonErasure,
  scope: "messages:write",
  counts: "inbound",
  isBounded: true,
  isReached: true,
  find: (_ctx, { phones, users }) => sql`SELECT json_object('id', ${inbound.id}) AS snapshot FROM ${inbound}
    WHERE ${inbound.sender} IN ${among([...phones, ...phones.map(phoneDigits), ...users])} LIMIT ${MOST_AT_ONCE}`,
  theirs: (rows) => ({ ids: rows.map(({ id }) => id) }),
});

/** When a person wrote in the chat-app, and by which numbers and ids. */
export const windowEraser = personEraser<{ phone: string }>({
  erasure: inboundOfPersonErasure,
  scope: "messages:write",
  isReached: true,
  isSame: true,
  find: (_ctx, person) =>
    sql`SELECT json_object('phone', ${chatappWindows.phone}) AS snapshot FROM ${windowsOf(idsOf(person))}`,
  theirs: (rows) => ({ ids: [], contacts: rows.map(({ phone }) => (isNamed(phone) ? phone : `+${phone}`)) }),
  also: (_ctx, person) => [sql`DELETE FROM ${windowsOf(idsOf(person))}`],
});

function idsOf({ phones, users }: Person): SQL {
  return sql`SELECT value FROM ${among([...phones.map(phoneDigits), ...users])}`;
}
