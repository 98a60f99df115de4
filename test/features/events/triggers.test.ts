import { describe, expect, test } from "vitest";
import { EVENT_TYPES, TYPE_NAMES } from "../../../src/features/events/types.ts";
import { allResources } from "../../../src/wiring/resources.ts";
import { openCompany } from "../../support/company.ts";

// What triggers join out of a status or a payment status: 'booking.' || NEW.status.
const JOINED = {
  "booking.": ["confirmed", "cancelled", "expired", "completed", "no_show", "paid", "refund_due", "refunded"],
};
const TYPE = /'([a-z_]+\.[a-z_]*)'/g;

const rows = await (await openCompany()).rows(
  "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND sql LIKE '%INTO events%'",
);
const triggers = rows.map(({ name, sql }) => ({
  name: String(name),
  sql: String(sql),
  types: [...String(sql).matchAll(TYPE)].flatMap(([, type = ""]) =>
    Object.hasOwn(JOINED, type) ? JOINED["booking."].map((status) => type + status) : [type],
  ),
}));

describe("the triggers that write events", () => {
  test("write every type of event that there is, and no other", () => {
    expect([...new Set(triggers.flatMap(({ types }) => types))].sort()).toEqual([...TYPE_NAMES].sort());
  });

  test("name beside each type the resource that the table of types has for it", () => {
    const wrong = triggers.filter(({ sql, types }) =>
      types.some((type) => {
        const { resource } = EVENT_TYPES[type as keyof typeof EVENT_TYPES];
        return !sql.includes(`'${resource}'`);
      }),
    );
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });

  test("record types on demand only while an endpoint asks for them, and all others always", () => {
    for (const type of TYPE_NAMES) {
      const wanted = triggers.some(({ sql }) => sql.includes(`event_types_wanted WHERE type = '${type}'`));
      expect([type, wanted]).toEqual([type, "onDemand" in EVENT_TYPES[type]]);
    }
  });

  test("are of a kind of record that operations can name", async () => {
    const names = new Set((await allResources()).map(({ name }) => name));
    for (const { resource } of Object.values(EVENT_TYPES)) expect(names).toContain(resource);
  });
});
