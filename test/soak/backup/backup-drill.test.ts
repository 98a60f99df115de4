import { readFile, writeFile } from "node:fs/promises";
import { sql } from "drizzle-orm";
import { SQLiteAsyncDialect } from "drizzle-orm/sqlite-core";
import { afterAll, expect, inject, test, vi } from "vitest";
import { decrypt } from "#cli/backup/database/secret-kinds.ts";
import { Stream } from "#cli/backup/database/stream.ts";
import { type Dumped, dump } from "#cli/backup/dump/dump.ts";
import { COMPANY_SECRET_KINDS } from "../../../src/wiring/secret-kinds.ts";
import { crafted, SOURCE } from "../../cli/backup/made.ts";
import { LEADS, postForm } from "../../features/leads/leads.ts";
import { accepted, arrived, connect, newNumber, sendSms } from "../../features/messaging/provider.ts";
import { newBoard } from "../../features/projects/board.ts";
import {
  companyOf,
  controlRows,
  must,
  openCompany,
  platform,
  type TestCompany,
} from "../../support/company.ts";
import { inShell, shellBlocks } from "../../support/company-ops.ts";
import { pdf } from "../../support/documents.ts";
import { useFolder } from "../../support/folder.ts";
import { connectGateway } from "../../support/gateways.ts";
import { operatorOf } from "../../support/operator.ts";
import { MASTER_KEY } from "../../support/service.ts";
import { expectSelfCheckSound, resume } from "./command.ts";

const PATIENT = { timeout: 300_000 };

const path = useFolder();

const env = operatorOf(inject("service"));
const source = await openCompany({ state: "Karnataka" });
const meera = { name: "Meera Traders", state: "Karnataka", pincode: "560001", notes: "first\nsecond" };
const customer = must(await source.call("POST", "/customers/:company", { body: meera }), 201).body.data;
const line = {
  item_name: "Consulting",
  unit: "Nos",
  unit_price: 1000.5,
  tax_rate: 18,
  quantity: 1,
  hsn_code: "9983",
};
const invoice = { customer_id: customer.id, items: [line] };
must(await source.call("POST", "/invoices/:company", { body: invoice }), 201);
const board = await newBoard(source);
const release = await board.iteration({ name: "Release 1" });
await board.iteration({ name: "Sprint 1", parent_id: release.id });
const story = await board.item({ title: "Pay by UPI" });
await board.item({ title: "Scan a code", parent_id: story.id });
await connectGateway(source, "razorpay");
await connect(source, "msg91");
// Many parts, and one that is as wide as a row may be.
const wide = `INSERT INTO customers (operation, name, notes, gst_category, state, pincode, country, currency, deleted_at, created_at, updated_at)
  SELECT 'made ' || value, 'Wide ' || value, hex(zeroblob(iif(value = 1, 1000000, 4000))), 'unregistered', 'Kerala',
    '670001', 'IN', 'INR', 0, 0, 0 FROM json_each(?)`;
await source.rows(wide, JSON.stringify(Array.from({ length: 400 }, (_, at) => at)));
must(await postForm(source, [["attachment", pdf(100_000), "plan.pdf"]]), 200);
await source.change("/settings/:company/lead-settings", { turnstile_secret: "0x4AAAAAAA-very-secret" });
// Nothing is written to it any more.
await source.untilChained();
afterAll(() => void vi.unstubAllEnvs());

const shell = (lines: string) => inShell(lines, { env, cwd: path() });

async function sumsOf({ namespace }: TestCompany): Promise<Dumped["tables"]> {
  const { libsqlUrl, libsqlToken } = inject("service");
  const stream = new Stream({ url: `${libsqlUrl}/dev/${namespace}/`, token: libsqlToken });
  const parts = dump(stream);
  for (;;) {
    const step = await parts.next();
    if (step.done !== true) continue;
    await stream.end();
    // A restore draws another epoch.
    const { event_feed: _, ...tables } = step.value.tables;
    return tables;
  }
}

async function secretsOf(company: TestCompany): Promise<string[]> {
  // Without the first one, the key of a sandbox that ran in this folder would be taken.
  vi.stubEnv("CONTROL_DATABASE_URL", env.CONTROL_DATABASE_URL);
  vi.stubEnv("MASTER_KEY", MASTER_KEY);
  const secrets: string[] = [];
  for (const { field, columns } of COMPANY_SECRET_KINDS)
    for (const { table, column, path, key } of columns) {
      const value = path === undefined ? sql`${column}` : sql`${column} ->> ${sql.raw(`'${path}'`)}`;
      const select = sql`SELECT ${key} AS key, ${value} AS encrypted FROM ${table} WHERE ${value} IS NOT NULL`;
      const { rows } = await company.database().execute(new SQLiteAsyncDialect().sqlToQuery(select).sql);
      for (const row of rows)
        secrets.push(decrypt(company.slug, `${field}${row.key}`, String(row.encrypted)));
    }
  return secrets;
}

test("the drill of docs/operate.md, as it is written there", PATIENT, async () => {
  const [drill = ""] = shellBlocks("operate.md", "Back up, verify, restore");
  const lines = drill.split("\n").filter((line) => line !== "");
  expect(lines).toHaveLength(6);
  // The last one closes what is looked at here.
  expect(lines.at(-1)).toBe("npx company-ops company close demo-traders-2");
  const ran = await shell(lines.slice(0, 5).join("\n").replaceAll("demo-traders", source.slug));
  expect(ran).toMatchObject({ code: 0, stderr: "" });
  expect(ran.stdout.match(/: sound, \d+ rows of \d+ tables/g)).toHaveLength(2);
  expect(ran.stdout).toContain(" tables, 1 file\n");
  expect(ran.stdout).toContain(", 1 file put back, 0 erasures done again, self-check sound; suspended");

  const slug = `${source.slug}-2`;
  const key = JSON.parse(ran.stdout.slice(ran.stdout.indexOf("{\n")));
  const restored = await companyOf({ slug, admin_key: key });
  expect(restored.namespace).not.toBe(source.namespace);
  const [before, after] = [await sumsOf(source), await sumsOf(restored)];
  const differing = Object.keys(before).filter((table) => before[table]?.sha256 !== after[table]?.sha256);
  // The database's own name, the copies of its control rows with the notice of them, and what is encrypted for the
  // company's; answers that a retry gets hold some of it.
  // A change of a setting stands until its notice is out.
  expect(differing.filter((table) => table !== "setting_changes").toSorted()).toEqual([
    "audit_keys",
    "company_copy",
    "database_name",
    "gateway_accounts",
    "key_copies",
    "lead_settings",
    "messaging_providers",
    "operations",
  ]);
  expect(Object.keys(after).toSorted()).toEqual(Object.keys(before).toSorted());
  const secrets = await secretsOf(source);
  expect(secrets).toHaveLength(7);
  expect(await secretsOf(restored)).toEqual(secrets);
  const own = await restored.database().execute("SELECT name FROM database_name");
  expect(own.rows[0]?.name).toBe(restored.namespace);

  must(await restored.call("GET", "/customers/:company"), 403);
  await resume(restored);
  const read = async (company: TestCompany, list: string) => {
    const data = await company.read(list);
    return JSON.parse(JSON.stringify(data).replaceAll(`/${company.slug}/`, "/SLUG/"));
  };
  for (const list of ["/customers/:company?q=Meera", "/invoices/:company"])
    expect(await read(restored, list)).toEqual(await read(source, list));
  const [file, copy] = await Promise.all(
    [source, restored].map((company) => company.call("GET", `${LEADS}/1/submissions/1/attachment`)),
  );
  expect(copy).toMatchObject({ status: 200, text: file?.text });
  const to = newNumber();
  accepted(await sendSms(restored, { to }));
  expect(await arrived(to)).toMatchObject({ text: "Your order is ready." });
  await expectSelfCheckSound({ slug });
});

test(
  "a restore refuses a company that exists, what is not sound, and what is no company, and changes nothing",
  PATIENT,
  async () => {
    must(await platform("GET", `/platform/companies/${source.slug}`), 200);
    const before = await sumsOf(source);
    const made =
      await shell(`npx company-ops backup ${source.slug} again.backup; npx company-ops backup --control own.backup
    gunzip -c again.backup | sed 's/Meera Traders/Other Traders/' | gzip > changed.backup`);
    expect(made.code).toBe(0);
    for (const [words, told] of [
      [`again.backup --as ${source.slug}`, `The slug ${source.slug} is taken`],
      [`changed.backup --as ${source.slug}-3`, "is not sound"],
      [`own.backup --as ${source.slug}-3`, "restore it with --control"],
    ]) {
      const { code, stdout, stderr } = await shell(`npx company-ops restore ${words}`);
      expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
      expect(stderr).toContain(told);
    }
    const other = { ...SOURCE.company, slug: "other-traders" };
    const [same, say] = [(dumped: string) => dumped, { source: { control: false, company: other } }];
    const file = crafted(await readFile(path("again.backup")), same, (header) => ({ ...header, ...say }));
    await writeFile(path("other.backup"), file);
    const verified = await shell("npx company-ops verify other.backup");
    expect(verified.code).toBe(1);
    expect(verified.stdout).toContain("were not encrypted for company other-traders");
    const refused = await shell(`npx company-ops restore other.backup --as ${source.slug}-3`);
    expect(refused.stderr).toContain("is not sound: The secrets in the table");
    expect(await sumsOf(source)).toEqual(before);

    must(await source.patch({ status: "suspended" }), 200);
    const again = await shell(`npx company-ops restore again.backup --as ${source.slug}`);
    must(await source.patch({ status: "active" }), 200);
    expect(again.stderr).toMatch(
      /taken by a suspended company, .* half-way; .* under another slug with --as/,
    );
    expect(await controlRows("SELECT 1 FROM companies WHERE slug = ?", `${source.slug}-3`)).toEqual([]);
  },
);
