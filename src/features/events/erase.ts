import { sql } from "drizzle-orm";
import { integersOf, MOST_AT_ONCE, personEraser } from "#features/erasures";
import type { Erasure } from "#platform/write/erasures.ts";
import { forgetEvents } from "#platform/write/events.ts";
import { events } from "#platform/write/tables.ts";
import { spellingsOf } from "#shared/contact/phone.ts";

/** Forgets again what events told with the address or number of a person, of whatever record. */
export const eventErasure: Erasure = {
  action: "eraseEvent",
  tables: [events],
  left: (given) => sql`SELECT record FROM (SELECT record, at AS erased_at FROM ${given}) JOIN ${events}
    ON ${events.sequence} = CAST(record AS INTEGER) AND ${events.at} <= erased_at AND ${events.snapshot} IS NOT NULL`,
  erase: (left) => [forgetEvents(integersOf(left))],
};

/**
 * The events that tell an address or number of a person as a whole text: of records that had it then, or that are blanked
 * already. Every event is looked at, as there is no index of what they tell.
 */
export const eventEraser = personEraser<{ id: number }>({
  erasure: eventErasure,
  counts: "events",
  isBounded: true,
  find({ company }, { emails, phones }) {
    const texts = [...emails, ...phones, ...phones.flatMap((phone) => spellingsOf(phone, company.country))];
    const quoted = JSON.stringify(texts.map((text) => JSON.stringify(text.toLowerCase())));
    return sql`SELECT json_object('id', ${events.sequence}) AS snapshot FROM ${events}
      WHERE ${events.snapshot} IS NOT NULL
        AND EXISTS (SELECT 1 FROM json_each(${quoted}) WHERE instr(lower(${events.snapshot}), value) > 0)
      LIMIT ${MOST_AT_ONCE}`;
  },
  theirs: (rows) => ({ ids: rows.map(({ id }) => id) }),
});
