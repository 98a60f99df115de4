import { randomBytes } from "node:crypto";
import { expect, inject, test } from "vitest";
import { COMPANY_MIGRATIONS, CONTROL_MIGRATIONS } from "#control/migrations/list.ts";
import { migrate } from "#control/migrations/migrate.ts";
import { normalised, SCHEMA_OBJECTS } from "#control/migrations/schema-text.ts";
import { Database } from "#platform/database/database.ts";
import { newCompany } from "../../../src/build/schema.ts";
import { clientOf, setFaults } from "../../support/company.ts";
import { createNamespace } from "../../support/service.ts";

const NOW = 1_795_000_000_000;
const ALL = [
  { of: "company", migrations: COMPANY_MIGRATIONS },
  { of: "control", migrations: CONTROL_MIGRATIONS },
];
const [FIRST = { name: "", sql: "" }] = COMPANY_MIGRATIONS;

/** An empty database of the test's own. */
async function newDatabase(): Promise<{ name: string; database: Database }> {
  const { libsqlUrl, libsqlAdminUrl: adminUrl, libsqlToken } = inject("service");
  const name = `empty-${randomBytes(8).toString("hex")}`;
  await createNamespace({ adminUrl }, name);
  return { name, database: new Database({ url: `${libsqlUrl}/dev/${name}/`, token: libsqlToken }) };
}

async function schemaOf(name: string): Promise<unknown[]> {
  const { rows } = await clientOf(name).execute(
    "SELECT type, name, sql FROM sqlite_schema ORDER BY type, name",
  );
  return rows.map((row) => Object.values(row));
}

async function recorded(name: string): Promise<unknown[]> {
  return (await clientOf(name).execute("SELECT name FROM migrations ORDER BY name")).rows.map(
    (row) => row.name,
  );
}

test.each(ALL)(
  "an empty $of database gets every file, each recorded once; a second run does nothing",
  async ({ migrations }) => {
    const { name, database } = await newDatabase();
    const names = migrations.map((migration) => migration.name);
    expect(await migrate(database, migrations, NOW)).toEqual(names);
    const schema = await schemaOf(name);
    expect(await migrate(database, migrations, NOW)).toEqual([]);
    expect(await recorded(name)).toEqual(names);
    expect(await schemaOf(name)).toEqual(schema);
  },
);

test("a new company's tables and rows are what all files make one after another, also when five runs begin at once", async () => {
  const [one, other] = [await newDatabase(), await newDatabase()];
  await migrate(one.database, COMPANY_MIGRATIONS, NOW);
  const together = await newCompany();
  const runs = await Promise.all(
    [1, 2, 3, 4, 5].map(() => migrate(other.database, COMPANY_MIGRATIONS, NOW, together)),
  );
  expect(runs.flat().sort()).toEqual(COMPANY_MIGRATIONS.map(({ name }) => name));
  const read = async (name: string, query: string) => (await clientOf(name).execute(query)).rows;
  const objects = async (name: string) =>
    (await read(name, SCHEMA_OBJECTS)).map((row) => [row.name, normalised(String(row.text))]);
  expect(await objects(other.name)).toEqual(await objects(one.name));
  const tables = await read(one.name, "SELECT name FROM pragma_table_list WHERE type = 'table'");
  for (const { name } of tables)
    if (name !== "sqlite_schema")
      expect(await read(other.name, `SELECT * FROM "${name}" ORDER BY 1`), `rows of ${name}`).toEqual(
        await read(one.name, `SELECT * FROM "${name}" ORDER BY 1`),
      );
});

test("a database that has some files gets the others one by one", async () => {
  const { name, database } = await newDatabase();
  await migrate(database, [FIRST], NOW);
  const rest = COMPANY_MIGRATIONS.slice(1).map((migration) => migration.name);
  expect(await migrate(database, COMPANY_MIGRATIONS, NOW, await newCompany())).toEqual(rest);
  expect(await recorded(name)).toEqual([FIRST.name, ...rest]);
});

test("five runs at once apply each file once", async () => {
  const { name, database } = await newDatabase();
  const applied = await Promise.all([1, 2, 3, 4, 5].map(() => migrate(database, COMPANY_MIGRATIONS, NOW)));
  expect(applied.flat().sort()).toEqual(COMPANY_MIGRATIONS.map((migration) => migration.name));
  const { rows } = await clientOf(name).execute("SELECT count(*) AS n FROM units");
  expect(rows[0]?.n).toBe(35);
});

test("a file that breaks in its middle leaves nothing of itself, and the files before it", async () => {
  const { name, database } = await newDatabase();
  const broken = {
    name: "0002_broken",
    sql: "CREATE TABLE half (x TEXT) STRICT; INSERT INTO nowhere VALUES (1);",
  };
  const later = { name: "0003_later", sql: "CREATE TABLE later (x TEXT) STRICT;" };
  await expect(migrate(database, [FIRST, broken, later], NOW)).rejects.toThrow();
  expect(await recorded(name)).toEqual([FIRST.name]);
  expect(JSON.stringify(await schemaOf(name))).not.toMatch(/\b(?:half|later)\b/);

  const mended = { ...broken, sql: "CREATE TABLE half (x TEXT) STRICT;" };
  expect(await migrate(database, [FIRST, mended, later], NOW)).toEqual(["0002_broken", "0003_later"]);
});

test("a run whose answer is lost finds that its file is applied", async () => {
  const { name, database } = await newDatabase();
  // The second write is the file; the first makes the table of records.
  await setFaults(name, [{ kind: "reset_after", every: 2, times: 1, writes_only: true }]);
  await migrate(database, COMPANY_MIGRATIONS, NOW);
  await setFaults(name, []);
  expect(await recorded(name)).toEqual(COMPANY_MIGRATIONS.map((migration) => migration.name));
  expect(await migrate(database, COMPANY_MIGRATIONS, NOW)).toEqual([]);
});

test("a run that is cut off before its file leaves a database that the next one finishes", async () => {
  const { name, database } = await newDatabase();
  await setFaults(name, [{ kind: "reset_before", every: 2, times: 1, writes_only: true }]);
  await expect(migrate(database, COMPANY_MIGRATIONS, NOW)).rejects.toThrow();
  await setFaults(name, []);
  expect(await recorded(name)).toEqual([]);
  expect(await migrate(database, COMPANY_MIGRATIONS, NOW)).toEqual(
    COMPANY_MIGRATIONS.map((migration) => migration.name),
  );
});

test("the files of each list are in the order of their numbers", () => {
  for (const { migrations } of ALL) {
    const names = migrations.map(({ name }) => name);
    expect(names).toEqual([...names].sort());
  }
});

test("0012 says why orders were in review, and converts no unit to one that a company has removed", async () => {
  const { name, database } = await newDatabase();
  const before = COMPANY_MIGRATIONS.findIndex((migration) => migration.name === "0012_papers");
  await migrate(database, COMPANY_MIGRATIONS.slice(0, before), NOW);
  const order = (
    number: string,
  ) => `INSERT INTO sales_orders (operation, order_number, payment_status, currency,
      customer_id, customer, items, tax_amount, shipping_amount, total_amount, source_website, return_url, cancel_url,
      created_at, updated_at)
    VALUES ('${number}', '${number}', '${number === "open" ? "unpaid" : "review"}', 'INR', 1, '{}', '[]', 0, 0, 100, 'x',
      'https://x.example', 'https://x.example', 1, 1)`;
  await clientOf(name).batch(
    [
      `INSERT INTO customers (operation, name, gst_category, state, pincode, country, currency, created_at, updated_at)
        VALUES ('c', 'Meera', 'unregistered', '', '', 'IN', 'INR', 1, 1)`,
      `INSERT INTO gateway_accounts (operation, kind, mode, currencies, priority, is_active, credentials, last_four,
        created_at, updated_at) VALUES ('g', 'razorpay', 'test', '[]', 1, 1, '', '{}', 1, 1)`,
      ...["mismatched", "parked", "open"].map(order),
      `INSERT INTO payment_intents (operation, kind, ref_id, gateway, gateway_account_id, amount, currency, status,
        next_look_at, created_at) VALUES ('p', 'order', '1', 'razorpay', 1, 100, 'INR', 'mismatch', 1, 1)`,
      "DELETE FROM units WHERE code = 'KGS'",
    ],
    "write",
  );
  await migrate(database, COMPANY_MIGRATIONS, NOW);
  const { rows: orders } = await clientOf(name).execute("SELECT review_code FROM sales_orders ORDER BY id");
  expect(orders.map(({ review_code }) => review_code)).toEqual(["amount_mismatch", "effect_refused", null]);
  const { rows: units } = await clientOf(name).execute(
    "SELECT code, base_code, factor_thousandths AS factor FROM units WHERE code IN ('GMS', 'DOZ') ORDER BY code",
  );
  expect(units.map((unit) => Object.values(unit))).toEqual([
    ["DOZ", "NOS", 12_000],
    ["GMS", null, null],
  ]);
});

test("0021 comes after 0019 too: it lists why orders wait, which of their money is in no account, and finds them", async () => {
  const { name, database } = await newDatabase();
  const before = COMPANY_MIGRATIONS.findIndex((migration) => migration.name === "0021_orders");
  await migrate(database, COMPANY_MIGRATIONS.slice(0, before), NOW);
  const order = (number: string, code: string | null, customer: number, missing = 0) => ({
    sql: `INSERT INTO sales_orders (operation, order_number, payment_status, currency, customer_id, customer, items,
        tax_amount, shipping_amount, total_amount, source_website, return_url, cancel_url, created_at, updated_at,
        review_code, packages_missing)
      VALUES (?, ?, iif(? IS NULL, 'unpaid', 'review'), 'INR', ?, '{"name":"Meera","email":"m@example.com"}', '[]', 0, 0,
        100, 'x', 'https://x.example', 'https://x.example', 1, 7, ?, ?)`,
    args: [number, number, code, customer, code, missing],
  });
  const customer = (operation: string, deletedAt: number | null) => ({
    sql: `INSERT INTO customers (operation, name, gst_category, state, pincode, country, currency, created_at, updated_at,
      deleted_at) VALUES (?, 'Meera', 'unregistered', '', '', 'IN', 'INR', 1, 1, ?)`,
    args: [operation, deletedAt],
  });
  await clientOf(name).batch(
    [
      customer("live", null),
      customer("gone", 5),
      order("SO/1", "amount_mismatch", 1),
      order("SO/2", "effect_refused", 1),
      order("SO/3", "effect_refused", 2),
      order("SO/4", "tax_amount_implausible", 1),
      order("SO/5", null, 1, 1),
      order("SO/6", null, 1),
    ],
    "write",
  );
  expect(await migrate(database, COMPANY_MIGRATIONS, NOW)).toContain("0021_orders");
  const { rows } = await clientOf(name).execute(`SELECT review_code, reason FROM sales_orders
    LEFT JOIN unposted ON source_type = 'order' AND source_id = sales_orders.id ORDER BY sales_orders.id`);
  expect(rows.map((row) => Object.values(row))).toEqual([
    ["amount_mismatch", null],
    ["effect_refused", "account_missing"],
    ["customer_gone", "account_missing"],
    ["tax_amount_implausible", "account_missing"],
    ["packages_missing", null],
    [null, null],
  ]);
  const { rows: found } = await clientOf(name).execute(
    "SELECT rowid FROM sales_orders_search WHERE sales_orders_search MATCH '\"SO/3\"'",
  );
  expect(found.map(({ rowid }) => rowid)).toEqual([3]);
});
