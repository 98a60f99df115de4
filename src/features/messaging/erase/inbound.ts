import { sql } from "drizzle-orm";
import type { Erasure } from "#core/write/erasures.ts";
import { forgetSnapshots } from "#core/write/events.ts";
import { among, MOST_AT_ONCE, personEraser } from "#features/erasures";
import { phoneDigits } from "#shared/contact/phone.ts";
import { chatappWindows } from "../contacts/tables.ts";
import { inboundMessages as inbound } from "../inbox/tables.ts";

const ids = (left: Parameters<Erasure["erase"]>[0]) => sql`SELECT record FROM (${left})`;

/** Erases again what a person wrote to the company, and that they wrote. */
export const inboundOfPersonErasure: Erasure = {
  action: "eraseInbound",
  left: (given) => sql`SELECT record FROM ${given} JOIN ${inbound}
    ON ${inbound.id} = record AND ${inbound.receivedAt} <= at`,
  forget: (left) => [forgetSnapshots("inbound_message", ids(left))],
  erase: (left) => [
    // Only what a person writes opens a window, and it is kept as long: so a window of a backup is found by that.
    sql`DELETE FROM ${chatappWindows} WHERE ${chatappWindows.phone} IN (
      SELECT ltrim(${inbound.sender}, '+') FROM ${inbound} WHERE ${inbound.id} IN (${ids(left)}))`,
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
  find: (_ctx, { phones }) => sql`SELECT json_object('id', ${inbound.id}) AS snapshot FROM ${inbound}
    WHERE ${inbound.sender} IN ${among([...phones, ...phones.map(phoneDigits)])} LIMIT ${MOST_AT_ONCE}`,
  theirs: (rows) => ({ ids: rows.map(({ id }) => id) }),
  also: (_ctx, { phones }) => [
    sql`DELETE FROM ${chatappWindows} WHERE ${chatappWindows.phone} IN ${among(phones.map(phoneDigits))}`,
  ],
});
