import { expect, test } from "vitest";
import type { Ctx } from "#core/context.ts";
import { recordVerbs } from "#core/write/collection.ts";
import { stampEvents } from "#core/write/events.ts";
import { leaseDeliveries } from "../../../src/features/events/deliveries/lease.ts";
import { listDeliveries } from "../../../src/features/events/deliveries/read-deliveries.ts";
import { settle } from "../../../src/features/events/deliveries/record-outcome.ts";
import { endpoint } from "../../../src/features/events/endpoints/record.ts";
import { EVENTS } from "../../../src/integrity/invariants/events.ts";
import "../../support/declarations.ts";
import { expectIndexed, explain, pages, planOf, statementsOf } from "./plans.ts";

const leased = { id: 1, run: "x", at: 0, attempts: 1, endpoint: { id: 1 }, event: {} } as never;
const outcome = { status: 500, error: "status", durationMs: 1, excerpt: "", retryAfterMs: 0 } as const;

/** A database that says that an endpoint has room, and something due. */
function waitedFor({ database, ...ctx }: Ctx): Ctx {
  const read = async (queries: never) => {
    await database.read(queries);
    return [[{ snapshot: '{"sent":0,"waits":1}' }]];
  };
  return { ...ctx, database: { ...database, read } } as never;
}

test.each<[string, (ctx: Ctx) => Promise<unknown>]>([
  ["the lease of deliveries", (ctx) => leaseDeliveries(waitedFor(ctx), 1)],
  ["its success", (ctx) => settle(ctx, 1, [{ leased, outcome: { ...outcome, error: null } }])],
  ["its failure", (ctx) => settle(ctx, 1, [{ leased, outcome }])],
])("%s reads no table of deliveries or events from end to end", async (_what, work) => {
  for (const { sql, args } of await statementsOf(work)) {
    const scans = (await explain(sql, args)).filter((step) =>
      /SCAN (?:event_deliveries|events|other|waiting)\b/.test(step),
    );
    expect(scans, sql).toEqual([]);
  }
});

test.each(pages)("the deliveries of an endpoint are listed by its index, by state too (%j)", async (page) => {
  for (const state of [undefined, "failed"] as const)
    expectIndexed(await planOf((ctx) => listDeliveries(ctx, { id: 1 }, { state, type: undefined, page })));
});

test("an endpoint and what waits for it are read by indexes", async () => {
  expectIndexed(await planOf((ctx) => recordVerbs({ record: endpoint }).get(ctx, { id: 1 })));
});

test("the stamp finds what is to be sent by an index", async () => {
  const [stamp] = await statementsOf((ctx) => stampEvents({ ...ctx, changes: { names: ["customer"] } }));
  const steps = await explain(String(stamp?.sql), stamp?.args);
  expect(steps.filter((step) => /SCAN event_deliveries/.test(step))).toEqual([]);
});

test("the self-check looks for each record's events by the record, not among all of their type", async () => {
  const rule = EVENTS["every record of the last hour has the event of its beginning"];
  const searches = (await explain(String(rule))).filter((step) => /events USING/.test(step));
  expect(searches.length).toBeGreaterThan(0);
  const byRecord = /INDEX events_record \(resource=\? AND record_id=\?\)|INDEX events_at\b/;
  expect(searches.filter((step) => !byRecord.test(step))).toEqual([]);
});
