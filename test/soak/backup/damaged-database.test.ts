import { open, rm, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { clientOf, must, openCompany, type TestCompany } from "../../support/company.ts";
import { operatorOf } from "../../support/operator.ts";
import { ownService } from "../../support/own-service.ts";
import { expectSelfCheckSound, suspend, useCommandLine } from "./command.ts";

const PATIENT = { timeout: 400_000 };
const PAGE = 4_096;
const PAGES = 100;

const service = await ownService();

const here = () => service.address;
const { path, ops: run, done } = useCommandLine(() => operatorOf(service.address));
const company = (...words: string[]) => run("company", ...words);

async function overwrite(file: string, first: number, bytes: number): Promise<void> {
  const handle = await open(file, "r+");
  const pages = Math.min(PAGES, Math.floor((await stat(file)).size / PAGE));
  for (let page = 0; page < pages; page += 1)
    await handle.write(Buffer.alloc(bytes, 0x5a), 0, bytes, page * PAGE + first);
  await handle.close();
}

/** What may become of the file `data` of a database while sqld does not run. */
const DAMAGES: Record<string, (data: string) => Promise<void>> = {
  "was cut": (data) => truncate(data, 1_000_000),
  "has pages that were overwritten": (data) => overwrite(data, 100, 300),
  "has no header": (data) => writeFile(data, Buffer.alloc(200 * PAGE, 0x5a)),
  "is empty": async (data) => {
    for (const suffix of ["", "-wal", "-shm"]) await rm(data + suffix, { force: true });
    await rm(join(data, "../wallog"), { force: true });
  },
};

/** Damages databases, each in its way, while sqld does not run. */
async function damage(...damages: (readonly [how: string, database: string])[]): Promise<void> {
  await service.libsql.kill();
  for (const [how, name] of damages) {
    const data = join(service.libsql.folder, "dbs", name, "data");
    const database = new DatabaseSync(data);
    database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    database.close();
    await DAMAGES[how]?.(data);
  }
  await service.libsql.restart();
}

/** A suspended company with one customer in its backup, and one more since. */
async function backedUp(): Promise<TestCompany> {
  const opened = await openCompany({ state: "Karnataka" }, here());
  await addCustomer(opened, "Meera");
  await done("backup", opened.slug, `${opened.slug}.backup`);
  await addCustomer(opened, "Asha");
  await suspend(opened);
  return opened;
}

async function addCustomer(to: TestCompany, name: string): Promise<void> {
  const body = { name, state: "Karnataka", pincode: "560001" };
  must(await to.call("POST", "/customers/:company", { body }), 201);
}

const restore = ({ slug }: TestCompany, ...words: string[]) =>
  run("restore", `${slug}.backup`, "--into", slug, ...words);
async function databasesOf({ slug }: TestCompany): Promise<{ own: string; spare: string | null }> {
  const sql = "SELECT database_name AS own, spare_database_name AS spare FROM companies WHERE slug = ?";
  const { rows } = await clientOf("control", here()).execute({ sql, args: [slug] });
  return { ...rows[0] } as { own: string; spare: string | null };
}

async function expectWorking(of: TestCompany, customers: string[]): Promise<void> {
  must(await of.patch({ status: "active" }), 200);
  const names = async () =>
    (await of.call<{ name: string }[]>("GET", "/customers/:company")).body.data?.map(({ name }) => name);
  await expect.poll(async () => (await names())?.toSorted()).toEqual(customers);
  await addCustomer(of, "Later");
  await expectSelfCheckSound(of, here());
}

test(
  "a company whose database is damaged, in whatever way, is restored into and used where its name is given as lost",
  PATIENT,
  async () => {
    const damaged: [string, TestCompany][] = [];
    for (const how of Object.keys(DAMAGES)) damaged.push([how, await backedUp()]);
    await damage(...damaged.map(([how, { namespace }]) => [how, namespace] as const));
    for (const [how, restored] of damaged) {
      const refused = await restore(restored);
      const advice = `say so with --lost ${restored.namespace}`;
      expect(refused, how).toMatchObject({ code: 1, stderr: expect.stringContaining(advice) });
      expect(await databasesOf(restored)).toEqual({ own: restored.namespace, spare: null });
      const { code, stdout } = await restore(restored, "--lost", restored.namespace);
      expect([code, stdout], how).toEqual([0, expect.stringContaining("self-check sound")]);
      expect((await databasesOf(restored)).spare).toBe(restored.namespace);
      await stat(join(service.libsql.folder, "dbs", restored.namespace, "data"));
      await expectWorking(restored, ["Meera"]);
      await done("company", "remove-spare", restored.slug, restored.namespace);
      expect((await databasesOf(restored)).spare).toBe(null);
    }
  },
);

test(
  "what was replaced is used again where the database in its place is damaged, and its name is given as lost",
  PATIENT,
  async () => {
    const changed = await backedUp();
    expect(await restore(changed)).toMatchObject({ code: 0 });
    const before = await databasesOf(changed);
    await damage(["was cut", before.own]);
    const lost = await company("use-spare", changed.slug, String(before.spare));
    expect(lost.stderr).toContain(`say so with --lost ${before.own}`);
    await done("company", "use-spare", changed.slug, String(before.spare), "--lost", before.own);
    await expectWorking(changed, ["Asha", "Meera"]);
    const back = await company("use-spare", changed.slug, before.own);
    expect(back.code).toBe(1);
    expect(back.stderr).not.toContain("internal_error");
    await done("company", "remove-spare", changed.slug, before.own);
  },
);

test("a spare database is removed while the company's own is damaged", PATIENT, async () => {
  const of = await backedUp();
  expect(await restore(of)).toMatchObject({ code: 0 });
  const { own, spare } = await databasesOf(of);
  // As a restore leaves it that was killed: filled, and not used.
  await done("company", "use-spare", of.slug, String(spare));
  await damage(["has pages that were overwritten", String(spare)]);
  await done("company", "remove-spare", of.slug, own);
  expect(await databasesOf(of)).toEqual({ own: spare, spare: null });
});

test(
  "a company is rebuilt from its later database where the one that it replaced is damaged",
  PATIENT,
  async () => {
    const of = await backedUp();
    const sql = "SELECT * FROM companies WHERE slug = ?";
    const control = clientOf("control", here());
    const { rows } = await control.execute({ sql, args: [of.slug] });
    expect(await restore(of)).toMatchObject({ code: 0 });
    const { own } = await databasesOf(of);
    const row = { ...rows[0] } as Record<string, string | number | null>;
    const set = Object.keys(row).map((column) => `${column} = ?`);
    const statement = `UPDATE companies SET ${set.join(", ")} WHERE slug = ?`;
    await control.execute({ sql: statement, args: [...Object.values(row), of.slug] });
    await damage(["has pages that were overwritten", of.namespace]);
    await writeFile(path("later"), `${own}\n`);
    const adopted = await run("adopt", "--from", "later", "--lost", of.namespace);
    expect(adopted).toMatchObject({ code: 0, stdout: expect.stringContaining("1 changed") });
    await expectWorking(of, ["Meera"]);
  },
);

// The last test: no company is known after it.
test("where the control database is empty, calls of every company are 503", PATIENT, async () => {
  const of = await openCompany({}, here());
  await damage(["is empty", "control"]);
  const answer = await of.call("GET", "/customers/:company");
  expect(answer).toMatchObject({ status: 503, body: { code: "unavailable" } });
  expect((await fetch(`${service.url}/ready`)).status).toBe(503);
});
