import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import { afterAll, afterEach, expect, inject, test, vi } from "vitest";
import { reading } from "#cli/backup/database/databases.ts";
import { atOneMoment } from "#cli/backup/database/one-moment.ts";
import { writeBackup } from "#cli/backup/file/write-files.ts";
import { ulid } from "#shared/text/ulid.ts";
import { DAY_MS } from "#shared/time/durations.ts";
import { SOURCE } from "../cli/backup/made.ts";
import { newCustomer, newInvoice } from "../features/commerce.ts";
import { openCompany } from "../support/company.ts";
import { useFolder } from "../support/folder.ts";
import { askAdmin } from "../support/libsql/index.ts";
import { API_TOKEN, GROUP, ORGANIZATION, startTurso } from "./turso-stand-in.ts";

const names: string[] = [];

const company = await openCompany({ state: "Karnataka" });
const path = useFolder();
const { libsqlUrl, libsqlToken, libsqlAdminUrl } = inject("service");
const platform = await startTurso({
  url: libsqlUrl,
  token: libsqlToken,
  admin(method, path, body) {
    const made = /\/fork\/(.+)$/.exec(path)?.[1];
    if (made !== undefined) names.push(made);
    return askAdmin(libsqlAdminUrl, method, path, body);
  },
  namespaces: async () => [company.namespace, ...names],
});
for (const [name, value] of Object.entries(platform.variables)) vi.stubEnv(name, value);
afterEach(() => vi.unstubAllGlobals());
afterAll(async () => {
  vi.unstubAllEnvs();
  await platform.stop();
});

/** Where Turso has the company's database, and a token. */
async function addressOf(name: string) {
  const path = `${platform.url}/v1/organizations/${ORGANIZATION}/databases/${name}/auth/tokens`;
  const answer = await fetch(path, { method: "POST", headers: { Authorization: `Bearer ${API_TOKEN}` } });
  const { jwt } = (await answer.json()) as { jwt: string };
  return { url: `libsql://${name}-${ORGANIZATION}.turso.io`, token: jwt };
}

test("a backup on Turso is one moment, while writers run, with no transaction beyond its limit", async () => {
  const address = await addressOf(company.namespace);
  const { id } = await newCustomer(company);
  // What a killed run left behind the day before yesterday is removed too.
  const left = `backup-${ulid(Date.now() - 2 * DAY_MS).toLowerCase()}`;
  await forkTo(left);
  vi.stubGlobal("fetch", platform.fetch);
  // A small limit in place of a large database.
  platform.transactionMs = 20;
  const plain = reading(address, (stream) => writeBackup(stream, path("plain"), SOURCE));
  await expect(plain).rejects.toThrow("Transaction timed-out");

  let isOver = false;
  const writers = Array.from({ length: 4 }, async () => {
    while (!isOver) await newInvoice(company, id);
  });
  const file = path("branch");
  await expect.poll(invoicesThere).toBeGreaterThan(4);
  await atOneMoment(address, (stream) => writeBackup(stream, file, SOURCE)).finally(() => {
    isOver = true;
  });
  await Promise.all(writers);

  const text = gunzipSync(await readFile(file)).toString();
  const { DatabaseSync } = await import("node:sqlite");
  using database = new DatabaseSync(":memory:");
  database.exec(text);
  const one = (sql: string) => Object.values(database.prepare(sql).get() ?? {});
  const [invoices, entries, last, debits, credits] = one(`SELECT (SELECT count(*) FROM invoices),
    (SELECT count(*) FROM journal_entries WHERE source_type = 'invoice'),
    (SELECT last FROM number_series WHERE series = 'invoice'), sum(debit), sum(credit) FROM journal_lines`);
  expect([entries, last, credits]).toEqual([invoices, invoices, debits]);
  expect(Number(invoices)).toBeGreaterThan(4);
  // The writers went on meanwhile, so it would not be one moment by chance.
  expect(await invoicesThere()).toBeGreaterThan(Number(invoices));
  expect(database.prepare("PRAGMA foreign_key_check").all()).toEqual([]);
  expect(names).toEqual([left, expect.stringMatching(/^backup-/)]);
  expect(await Promise.all(names.map(isThere))).toEqual([false, false]);
});

async function forkTo(name: string): Promise<void> {
  const path = `${platform.url}/v1/organizations/${ORGANIZATION}/databases`;
  const body = JSON.stringify({ name, group: GROUP, seed: { type: "database", name: company.namespace } });
  const headers = { Authorization: `Bearer ${API_TOKEN}` };
  expect((await fetch(path, { method: "POST", headers, body })).status).toBe(200);
}

async function invoicesThere(): Promise<number> {
  return Number((await company.rows("SELECT count(*) AS n FROM invoices"))[0]?.n);
}

async function isThere(name: string): Promise<boolean> {
  return (await askAdmin(libsqlAdminUrl, "GET", `/v1/namespaces/${name}/config`)).ok;
}
