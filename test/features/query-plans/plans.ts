import type { InValue } from "@libsql/client";
import type { SQLWrapper } from "drizzle-orm";
import { SQLiteAsyncDialect } from "drizzle-orm/sqlite-core";
import { expect } from "vitest";
import type { Ctx } from "#core/context.ts";
import { Database } from "#core/database/database.ts";
import { NO_CHANGES } from "#core/write/events.ts";
import { openCompany, type TestCompany } from "../../support/company.ts";

const dialect = new SQLiteAsyncDialect();
const SECRET = { type: "secret", id: "ck_plans", name: "Plans" };

let company: Promise<TestCompany> | undefined;

/** The steps of the database's plan for a statement; no test here writes, so all share one company. */
export async function explain(sql: string, args: InValue[] = []): Promise<string[]> {
  company ??= openCompany();
  const plan = await (await company).rows(`EXPLAIN QUERY PLAN ${sql}`, ...args);
  return plan.map(({ detail }) => String(detail));
}

/** What a table, an index or a trigger was made by. */
export async function definitionOf(name: string): Promise<string> {
  company ??= openCompany();
  const [row] = await (await company).rows("SELECT sql FROM sqlite_schema WHERE name = ?", name);
  return String(row?.sql);
}

/** The statements that a piece of work sends or gives, against a database that answers with no row. */
export async function statementsOf(work: (ctx: Ctx) => unknown, actor: object = SECRET) {
  const sent: { sql: string; args: InValue[] }[] = [];
  const keep = (queries: readonly SQLWrapper[]) => {
    for (const query of queries) {
      const { sql, params } = dialect.sqlToQuery(query.getSQL());
      sent.push({ sql, args: params as InValue[] });
    }
    return queries.map(() => []);
  };
  const ctx = {
    actor,
    client: { allowsOrigin: () => true, holds: () => false, visitorToken: null },
    company: { timezone: "Asia/Kolkata", currency: "INR" },
    db: new Database({ url: "http://127.0.0.1:1", token: "" }).build,
    database: {
      read: async (queries: SQLWrapper[]) => keep(queries),
      write: async (queries: SQLWrapper[]) => keep(queries),
      get alone() {
        return this;
      },
    },
    standInLine: async () => undefined,
    oneByOne: (_name: string, work: () => Promise<unknown>) => work(),
    afterwards: () => undefined,
    now: 0,
    requestId: "req_plans",
    changes: NO_CHANGES,
    call: { fingerprint: null, id: "x", idempotencyRecordKey: "x" },
    scheduleClock: () => undefined,
  };
  // What finds nothing may end with 404, after it has sent what is wanted here.
  const given = await Promise.resolve(work(ctx as unknown as Ctx)).catch(() => undefined);
  if (Array.isArray(given)) keep(given.filter((one) => typeof one?.getSQL === "function"));
  expect(sent.length).toBeGreaterThan(0);
  return sent;
}

/** The steps of the database's plans for the statements that a verb sends. */
export async function planOf(work: (ctx: Ctx) => unknown, actor?: object): Promise<string[]> {
  const statements = await statementsOf(work, actor);
  return (await Promise.all(statements.map(({ sql, args }) => explain(sql, args)))).flat();
}

// The trigram index is a virtual table: SQLite calls every look-up in it a scan, and names the index. The others are what
// a query works on (the values that a filter names, the ancestors and descendants in a tree, one page of each), tables of
// settings, and the indexes of gateways in use and of refunds to look at, which hold few.
const NO_TABLE =
  / VIRTUAL TABLE INDEX \d+:\S|^SCAN (?:above|below|area|(?:kind|page|week|json_each) VIRTUAL TABLE INDEX \d+:|\(subquery-\d+\)|CONSTANT ROW|uncovered_\w+|profile|\w+_settings|instructor_fields|payment_modes|lead_sources|event_types_wanted|notification_(?:rules|templates)|gateway_accounts USING INDEX gateway_accounts_active|gateway_refunds USING INDEX gateway_refunds_review)$/;

/** No table is read from end to end, and the rows come in order without being sorted, but for the steps that there may be. */
export function expectIndexed(plan: readonly string[], may = /^$/): void {
  expect(plan.length).toBeGreaterThan(0);
  // Rows that a subquery brought in order are read once more, under its name.
  const brought = plan.flatMap((step) => step.split("CO-ROUTINE ")[1] ?? []).map((name) => `SCAN ${name}`);
  const steps = plan.filter((step) => !may.test(step));
  const scans = steps.filter((step) => {
    if (!step.startsWith("SCAN") || NO_TABLE.test(step)) return false;
    const known = brought.indexOf(step);
    if (known >= 0) brought.splice(known, 1);
    return known < 0;
  });
  expect(scans).toEqual([]);
  expect(steps.filter((step) => /USE TEMP B-TREE FOR (?:ORDER BY|RIGHT|LAST)/.test(step))).toEqual([]);
}
