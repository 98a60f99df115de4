import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { resource } from "#api/operations/resource.ts";
import type { Ctx } from "#core/context.ts";
import { eventShapes, snapshotNames } from "#test/event-shapes.ts";
import { EVENT_TYPES } from "../../../src/features/events/types.ts";
import { allResources } from "../../../src/wiring/resources.ts";

const RESOURCES = await allResources();
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

describe.each(RESOURCES.map((resource) => ({ resource, name: resource.name })))(
  "$name",
  ({ resource, name }) => {
    const frozen = eventShapes[name] ?? [];

    test("has the shape that was frozen last: another SELECT is another shape, with an upgrade", () => {
      expect(frozen).toHaveLength(resource.shape);
      expect(snapshotNames(resource)).toEqual(frozen.at(-1)?.names);
    });

    test("renders a snapshot of each shape as the record's reads do", async () => {
      for (const [index, { snapshot }] of frozen.entries()) {
        if (snapshot === undefined) continue;
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
    record: {
      schema: z.object({ id: z.string(), words: z.string() }),
      render: ({ id, first, second }: { id: number; first: string; second: string }) => ({
        id: String(id),
        words: `${first} ${second}`,
      }),
    },
    select: () => sql<{ id: number; first: string; second: string }>`SELECT 1`,
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
