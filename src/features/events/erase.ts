import { sql } from "drizzle-orm";
import { type Erasure, integersOf } from "#core/write/erasures.ts";
import { forgetEvents } from "#core/write/events.ts";
import { MOST_AT_ONCE, personEraser } from "#features/erasures";
import { spellingsOf } from "#shared/contact/phone.ts";
import { events } from "#tables/core";

/** Erases again the data of events that have the address or number of a person, of any record. */
export const eventErasure: Erasure = {
  action: "eraseEvent",
  left: (given) => sql`SELECT record FROM (SELECT record, at AS erased_at FROM ${given}) JOIN ${events}
    ON ${events.sequence} = CAST(record AS INTEGER) AND ${events.at} <= erased_at AND ${events.snapshot} IS NOT NULL`,
  erase: (left) => [forgetEvents(integersOf(left))],
};

/**
 * The events that have an address or number of a person as a whole text: of records that had it then, or that are
 * blanked already. It reads every event, because their data has no index.
 */
export const eventEraser = personEraser<{ id: number }>({
  erasure: eventErasure,
  scope: "settings:write",
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
