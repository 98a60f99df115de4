import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Client } from "@libsql/client/web";
import { is } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import { describe, expect, test } from "vitest";
import { isProblemCode } from "#shared/problem.ts";
import { uniqueViolations } from "../../../src/wiring/unique-violations.ts";
import { brackets } from "../../lint/finders.ts";
import { clientOf, openCompany } from "../../support/company.ts";

const ROOT = join(import.meta.dirname, "../../..");
/** The tables of which several records may be of one operation; in every other one with that column it is unique. */
const OF_ONE_OPERATION: readonly string[] = [
  ...["advances", "gateway_refunds", "journal_entries", "lesson_earnings", "money_moves", "stock_movements"],
];

const UNIQUE: Readonly<Record<string, readonly string[]>> = {
  abandoned_databases: ["name"],
  accounts: ["code", "party_type, party_id", "system_key"],
  api_keys: ["client_id"],
  applications: ["application_number", "resume_path"],
  areas: ["project_id, id"],
  audit_keys: ["key_id"],
  batches: ["product_id, batch_number"],
  booking_packages: ["booking_id", "order_id, line"],
  bookings: ["booking_number", "id", "public_token"],
  calendar_feeds: ["token_hash"],
  chatapp_windows: ["phone"],
  credit_note_items: ["credit_note_id, invoice_item_id"],
  credit_notes: ["credit_note_number", "public_token"],
  converted_moves: ["source_type"],
  credited_refunds: ["refund_id, credit_note_id"],
  erasures: ["company_id, action, record"],
  event_attempts: ["delivery_id, n"],
  event_deliveries: ["sequence, endpoint_id, ordinal"],
  event_endpoint_types: ["word, endpoint_id"],
  event_types_wanted: ["type"],
  events: ["id"],
  external_ids: ["kind, external_id"],
  financial_years: ["name"],
  foreign_lines: ["entry_id, position"],
  gateway_captures: ["gateway, gateway_payment_id"],
  gateway_events: ["gateway, event_id"],
  gateway_refund_events: ["gateway, event_id"],
  gateway_refunds: ["capture_id", "gateway, gateway_refund_id", "key", "retry_of"],
  heartbeats: ["name"],
  inbound_messages: ["id", "provider, known_as"],
  invoice_items: ["invoice_id, position"],
  invoices: ["invoice_number", "public_token"],
  iterations: ["project_id, id"],
  journal_entries: [
    "entry_number",
    "operation, ordinal",
    "reversal_of",
    "source_type, source_id, voucher_type",
  ],
  journal_lines: ["entry_id, position"],
  key_copies: ["client_id"],
  lead_submissions: ["attachment_path"],
  leads: ["email_norm", "lead_number", "phone_last9"],
  lesson_earnings: ["booking_id", "sale_id"],
  lesson_receipts: ["booking_id", "receipt_number", "refund_number"],
  lesson_sales: ["booking_id", "invoice_id, line", "receipt_id"],
  message_recipients: ["message_id, ordinal", "provider_message_id, provider"],
  messages: ["id"],
  messaging_providers: ["channel", "token_hash"],
  migrations: ["name"],
  money_moves: ["key"],
  notification_rules: ["rule"],
  notification_templates: ["rule, channel, language"],
  notifications: ["message_id", "rule, channel, recipient, resource, record_id, occasion"],
  number_gaps: ["series, period, after"],
  number_prefixes: ["prefix"],
  number_series: ["series, period"],
  operations: ["scope"],
  paper_digests: ["kind, record_id"],
  payment_intents: ["gateway, gateway_order_id", "gateway, gateway_payment_id", "ref_id"],
  payments: ["payment_number"],
  profile: ["logo_path"],
  provider_events_unmatched: ["provider, provider_message_id, status"],
  record_changes: ["resource, number, record_id", "resource, record_id"],
  sales_orders: ["invoice_id", "order_number"],
  sprints: ["project_id, id"],
  unposted: ["source_type, source_id, voucher_type"],
  work_item_statuses: ["is_default"],
  work_items: ["project_id, id", "project_id, number"],
};

/** The unique indexes that only a fault of ours can break, as SQLite names them: a reply to one is a 500. */
const OWN_INDEXES: readonly string[] = Object.entries(UNIQUE).flatMap(([table, indexes]) =>
  indexes.map((columns) => columns.replaceAll(/\w+/g, `${table}.$&`)),
);
// Tables that no query of the code names: the migrator's own, and those inside the full-text index.
const UNNAMED = /^(?:migrations|database_name|sqlite_\w+|\w+_search(?:_\w+)?)$/;

const databases = { company: (await openCompany()).database(), control: clientOf("control") };
const { rows: ofOperations } = await databases.company.execute(
  "SELECT own.name FROM sqlite_schema own JOIN pragma_table_info(own.name) held WHERE own.type = 'table' AND held.name = 'operation'",
);
const KNOWN_INDEXES = [
  ...[...Object.keys(uniqueViolations), ...OWN_INDEXES],
  ...ofOperations.flatMap(({ name }) =>
    OF_ONE_OPERATION.includes(String(name)) ? [] : [`${name}.operation`],
  ),
];

/** The tables that the code sees, of both databases. */
async function tablesInCode(): Promise<SQLiteTable[]> {
  const tables: SQLiteTable[] = [];
  for await (const path of glob("build/tables/**/*.ts", { cwd: ROOT })) {
    const exported: Record<string, unknown> = await import(join(ROOT, path));
    for (const one of Object.values(exported)) if (is(one, SQLiteTable)) tables.push(one);
  }
  return tables;
}

const names = async (database: Client) =>
  (await database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")).rows
    .map(({ name }) => String(name))
    .filter((name) => !UNNAMED.test(name));

/** Each column as `name TYPE`, with what is promised of it. */
function declared(table: SQLiteTable): string[] {
  const { columns, primaryKeys } = getTableConfig(table);
  const keys = new Set([
    ...columns.filter(({ primary }) => primary).map(({ name }) => name),
    ...primaryKeys.flatMap((key) => key.columns.map(({ name }) => name)),
  ]);
  return columns.map((column) => {
    const { name } = column;
    return line(name, column.getSQLType(), column.notNull || keys.has(name), keys.has(name));
  });
}

async function existing(database: Client, table: string): Promise<string[]> {
  const { rows } = await database.execute(`PRAGMA table_xinfo("${table}")`);
  return rows.map(({ name, type, notnull, pk }) =>
    line(String(name), String(type), notnull === 1 || pk !== 0, pk !== 0),
  );
}

function line(name: string, type: string, required: boolean, key: boolean): string {
  return [name, type.toLowerCase(), required ? "required" : "", key ? "key" : ""].join(" ").trimEnd();
}

describe.each(["company", "control"] as const)("the %s database", (of) => {
  test("has tables that the code sees with the same columns", async () => {
    const database = databases[of];
    const tables = new Map((await tablesInCode()).map((table) => [getTableConfig(table).name, table]));
    for (const name of await names(database)) {
      const table = tables.get(name);
      expect({ [name]: table && declared(table).sort() }).toEqual({
        [name]: (await existing(database, name)).sort(),
      });
    }
  });

  test("has no unique index of which it is not said whether a client can break it, and what that means", async () => {
    for (const violation of await uniqueIndexes(databases[of])) expect(KNOWN_INDEXES).toContain(violation);
  });
});

/** What the database says when each unique index is violated. */
async function uniqueIndexes(database: Client): Promise<string[]> {
  const { rows: tables } = await database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'");
  const violations: string[] = [];
  for (const table of tables
    .map(({ name }) => String(name))
    .filter((name) => !/_search(?:_|$)|^sqlite_/.test(name))) {
    const { rows: indexes } = await database.execute(`PRAGMA index_list("${table}")`);
    for (const { name, unique } of indexes) {
      if (unique !== 1) continue;
      const { rows: columns } = await database.execute(`PRAGMA index_info("${name}")`);
      const onExpression = columns.some((column) => column.name === null);
      violations.push(
        onExpression ? String(name) : columns.map((column) => `${table}.${column.name}`).join(", "),
      );
    }
  }
  return violations;
}

test("the map of unique indexes names none that is gone, and only codes of the API", async () => {
  const all = await Promise.all(Object.values(databases).map(uniqueIndexes));
  expect([...KNOWN_INDEXES].sort()).toEqual([...new Set(all.flat())].sort());
  for (const { code } of Object.values(uniqueViolations)) expect(isProblemCode(code)).toBe(true);
});

describe.each([
  { of: "company" as const, code: "src/{features,providers}/**/*.ts" },
  { of: "control" as const, code: "src/tenancy/**/*.ts" },
])("the $of database's table of refusals", ({ of, code }) => {
  test("aborts with every code that the code refuses with", async () => {
    const used = new Set<string>();
    for await (const path of glob(code, { cwd: ROOT }))
      for (const refusal of refusalsIn(await readFile(join(ROOT, path), "utf8"))) used.add(refusal);
    expect(used).toContain("not_found");
    for (const refusal of used) expect(await raisedBy(databases[of], refusal)).toBe(refusal);
  });

  test("aborts with unknown_refusal for any other", async () => {
    expect(await raisedBy(databases[of], "no_such_code")).toBe("unknown_refusal");
  });
});

/** The last text in the brackets of each `refuseIfNone(...)` and `refuseWhen(...)`. */
function refusalsIn(text: string): string[] {
  return [...text.matchAll(/\brefuse(?:IfNone|When)\(/g)].map((call) => {
    const { inside } = brackets(text, call.index + call[0].length - 1);
    return /"(\w+)"\s*,?\s*$/.exec(inside)?.[1] ?? inside;
  });
}

test("the code that refuses is found whatever its condition", () => {
  const text = 'refuseIfNone("a"),\nrefuseWhen(\n  sql`x IN (SELECT max(f(y)) FROM z)`,\n  "b",\n);';
  expect(refusalsIn(text)).toEqual(["a", "b"]);
});

async function raisedBy(database: Client, code: string): Promise<string | undefined> {
  const insert = database.batch([{ sql: "INSERT INTO refusal (code) VALUES (?)", args: [code] }], "write");
  const error: unknown = await insert.catch((reason: unknown) => reason);
  return error instanceof Error ? /(\w+)$/.exec(error.message)?.[1] : undefined;
}
