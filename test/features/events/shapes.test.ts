import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { SQLiteAsyncDialect } from "drizzle-orm/sqlite-core";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { resource } from "#api/operations/resource.ts";
import type { Ctx } from "#core/context.ts";
import { EVENT_TYPES } from "../../../src/features/events/types.ts";
import { allResources } from "../../../src/wiring/resources.ts";

const RESOURCES = await allResources();

type Shape = { names: string[]; snapshot: unknown };

// Until 1.0.0 is out the one shape of each is edited in place.
const shapes = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../vectors/event-shapes.json"), "utf8"),
) as Record<string, Shape[]>;
const dialect = new SQLiteAsyncDialect();
const moment = { now: sql<number>`${0}`, today: sql<string>`${""}` };
const client: Ctx["client"] = {
  ...{ address: "", visitor: null, visitorToken: null },
  ...{ allowsOrigin: () => false, holds: () => false },
};
const ctx = {
  now: Date.parse("2026-11-21T09:30:00Z"),
  origin: "https://api.example.com",
  company: { slug: "asha", country: "IN", currency: "INR", timezone: "Asia/Kolkata" },
  client,
} as Ctx;

/** The names that a SELECT gives to what it puts in JSON. */
function namesIn(select: string): string[] {
  const found = select.matchAll(/(?:json_object\(|, )'(?:\$\.)?(\w+)', /g);
  return [...new Set([...found].map(([, name = ""]) => name))].sort();
}

describe.each(RESOURCES.map((resource) => ({ resource, name: resource.name })))(
  "$name",
  ({ resource, name }) => {
    const frozen = shapes[name] ?? [];

    test("has the shape that was frozen last: another SELECT is another shape, with an upgrade", () => {
      const { sql: select } = dialect.sqlToQuery(resource.select(moment, sql`events.record_id`));
      expect(frozen).toHaveLength(resource.shape);
      expect(namesIn(select)).toEqual(frozen.at(-1)?.names);
    });

    test("renders a snapshot of each shape as the record's reads do", async () => {
      for (const [index, { snapshot }] of frozen.entries()) {
        const rendered = await resource.renderShape(snapshot, index + 1, ctx);
        const record = resource.record.parse(rendered) as { id: unknown };
        expect(String(record.id)).toBe(String((snapshot as { id: unknown }).id));
      }
    });
  },
);

test("a snapshot of an earlier shape is brought up to the last one before it is rendered", async () => {
  const made = resource({
    name: "customer",
    scope: "settings:read",
    record: z.object({ id: z.string(), words: z.string() }),
    example: {},
    select: () => sql<{ id: number; first: string; second: string }>`SELECT 1`,
    render: ({ id, first, second }: { id: number; first: string; second: string }) => ({
      id: String(id),
      words: `${first} ${second}`,
    }),
    upgrades: [
      (row: object) => ({ ...row, first: "none" }),
      (row: { first: string }) => ({ ...row, second: row.first }),
    ],
  });
  expect(made.shape).toBe(3);
  expect(await made.renderShape({ id: 1 }, 1, ctx)).toEqual({ id: "1", words: "none none" });
  expect(await made.renderShape({ id: 1, first: "a" }, 2, ctx)).toEqual({ id: "1", words: "a a" });
  expect(await made.renderShape({ id: 1, first: "a", second: "b" }, 3, ctx)).toEqual({
    id: "1",
    words: "a b",
  });
});

test("every type has a resource that exists", () => {
  const told = new Set(Object.values(EVENT_TYPES).map(({ resource }) => resource));
  expect([...told].sort()).toEqual(RESOURCES.map(({ name }) => name).sort());
});
