import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import type { Changes } from "#core/context.ts";
import { atomic, systemWrite } from "#core/write/atomic.ts";
import { NO_CHANGES } from "#core/write/events.ts";
import { allResources } from "../../../src/wiring/resources.ts";
import "../../support/declarations.ts";
import { openCompany } from "../../support/company.ts";
import { statementsOf } from "../query-plans/plans.ts";
import { openShop, placeOrder } from "../storefront/shop.ts";

const RESOURCES = await allResources();
const NAMES = RESOURCES.map(({ name }) => name);

const snapshot = sql<{ id: number }>`SELECT json_object('id', 1)`;

const admission = Promise.resolve({ admitted: true, limit: 0, remaining: 0, resetMs: 0 });

/** The statements of a call, and of a job, that may change such records. */
async function statements(changes: Changes): Promise<string[][]> {
  const call = await statementsOf((ctx) => {
    const call = { ...ctx.call, name: "test", auditPrefix: "", auditedMembers: null, isDryRun: false };
    return atomic({ ...ctx, changes, admission, call }, [sql`SELECT 1`], snapshot);
  });
  const job = await statementsOf((ctx) => systemWrite({ ...ctx, changes }, [sql`SELECT 1`]));
  return [call, job].map((sent) => sent.map((one) => one.sql));
}

test("a write that may leave events has one statement more, at its end; one that may not has none", async () => {
  const without = await statements(NO_CHANGES);
  for (const changes of [{ names: NAMES.slice(0, 1) }, { names: NAMES }])
    for (const [index, sent] of (await statements(changes)).entries()) {
      expect(sent.slice(0, -1)).toEqual(without[index]);
      expect(sent.at(-1)).toMatch(/^UPDATE "events" SET at = /);
    }
});

test("the call's own snapshot is copied where it is of the same record, and only there", async () => {
  const [customer] = RESOURCES;
  if (customer === undefined) throw new Error("There is no resource");
  const [render] = customer.renderedBy;
  const [copying = [], job = []] = await statements({ names: [customer.name], render });
  expect(copying.at(-1)).toContain('FROM "operations"');
  expect(job.at(-1)).not.toContain('"operations"');
});

test("a batch whose events are of its own record alone selects that kind of record no second time", async () => {
  const [customer] = RESOURCES;
  if (customer === undefined) throw new Error("There is no resource");
  const [render] = customer.renderedBy;
  const [own = [], job = []] = await statements({ names: [customer.name], render, isOwnOnly: true });
  expect(own.at(-1)).not.toContain('"customers"');
  expect(job.at(-1)).toContain('"customers"');
});

test("what a gateway opened and what a call answers leave no event, so what keeps them needs no stamp", async () => {
  const triggers = `SELECT tbl_name FROM sqlite_schema WHERE type = 'trigger' AND sql LIKE '%INTO events%'`;
  const tables = (await (await openCompany()).rows(triggers)).map((row) => String(row.tbl_name));
  expect(tables).toContain("sales_orders");
  expect(tables).not.toContain("payment_intents");
  expect(tables).not.toContain("operations");
});

test("notifications are prepared with the stamp of kinds that a rule names, and with no other", async () => {
  const company = await openCompany();
  const named = await company.rows(
    "SELECT DISTINCT event FROM notification_rules WHERE event IS NOT NULL UNION VALUES ('order.refund_needed')",
  );
  const kindOf: Record<string, string> = { stock: "product" };
  const kinds = new Set(
    named.map(({ event }) => String(event).split(".")[0] ?? "").map((one) => kindOf[one] ?? one),
  );
  for (const name of NAMES) {
    const [call = []] = await statements({ names: [name] });
    expect([name, call.at(-1)?.includes("is_notified = 1")]).toEqual([name, kinds.has(name)]);
  }
});

test("the stamp of an event that a rule names is refused where it makes no notifications", async () => {
  const company = await openCompany();
  const types = await company.rows(
    "SELECT DISTINCT event FROM notification_rules WHERE event IS NOT NULL UNION VALUES ('order.refund_needed')",
  );
  for (const { event } of types) {
    const stamped = `INSERT INTO events (type, resource, record_id, at, request_id, shape) VALUES (?, 'x', '1', 1, 'r', 0)`;
    const refused = company.database().execute({ sql: stamped, args: [String(event)] });
    await expect(refused).rejects.toThrow("event_notices");
  }
});

test("an event that a fault left unstamped refuses no call: the clock gives it out with its notifications", async () => {
  const { company } = await openShop();
  // The notices of the shop's settings wake the same clock.
  await company.sweep(
    async () => (await company.rows("SELECT 1 FROM notifications WHERE state = 'due'")).length === 0,
  );
  const left = async () =>
    company.rows("SELECT request_id IS NULL AS is_left, is_notified FROM events WHERE record_id = 'left'");
  await company.rows(
    "INSERT INTO events (type, resource, record_id) VALUES ('order.review_needed', 'order', 'left')",
  );
  await placeOrder(company);
  // On a busy machine the clock has come by now.
  await company.sweep(async () => (await left())[0]?.is_left === 0);
  expect(await left()).toEqual([{ is_left: 0, is_notified: 1 }]);
});
