import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { must, openCompany, type TestCompany } from "../../support/company.ts";
import { check, sentences, tamper } from "../../tenancy/companies/self-check.ts";
import { companyOps as companyOpsIn } from "./command.ts";

const PATIENT = { timeout: 240_000 };
const CHAIN = "the audit log is what its chain says";
const HEAD = "the audit log leads through the link that the control database knows";
const customer = { name: "Meera Traders", state: "Karnataka", pincode: "560001" };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "broken-chain-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const companyOps = (...words: string[]) => companyOpsIn(folder, ...words);

/** A company whose audit log has two links, and the last row of the first of them; backed up as `early` between. */
async function chained() {
  const company = await openCompany();
  const write = async () =>
    void must(await company.call("POST", "/customers/:company", { body: customer }), 201);
  await write();
  await company.untilChained();
  const { rows } = await company.database().execute("SELECT max(last_id) AS id FROM audit_links");
  const early = `${company.slug}.early`;
  expect(await companyOps("backup", company.slug, early)).toMatchObject({ code: 0 });
  await write();
  await company.untilChained();
  return { company, early, first: Number(rows[0]?.id), write };
}

async function goesOn(company: TestCompany, write: () => Promise<void>): Promise<void> {
  expect(await check(company)).toMatchObject({ sound: true, broken: [] });
  must(await company.patch({ status: "active" }), 200);
  await expect.poll(async () => (await company.call("GET", "/customers/:company")).status).toBe(200);
  await write();
  await company.untilChained();
  expect(await check(company)).toMatchObject({ sound: true, broken: [] });
}

test("a database that was put back by hand is accepted by a restore of its own backup", PATIENT, async () => {
  const { company, first, write } = await chained();
  await tamper(company, [
    "DELETE FROM operations",
    `DELETE FROM audit_log WHERE id > ${first}`,
    `DELETE FROM audit_links WHERE last_id > ${first}`,
    `DELETE FROM paper_digests WHERE last_id > ${first}`,
    `UPDATE sqlite_sequence SET seq = ${first} WHERE name = 'audit_log'`,
  ]);
  expect(sentences(await check(company))).toEqual([HEAD]);
  must(await company.patch({ status: "suspended" }), 200);
  const file = `${company.slug}.put-back`;
  expect(await companyOps("backup", company.slug, file)).toMatchObject({ code: 0 });
  expect(await companyOps("restore", file, "--into", company.slug)).toMatchObject({ code: 0, stderr: "" });
  await goesOn(company, write);
});

test("rows that were changed stay found, and are cured by a backup from before alone", PATIENT, async () => {
  const { company, early, write } = await chained();
  await tamper(company, ["UPDATE audit_log SET actor = 'no-one' WHERE id = 1"]);
  expect(sentences(await check(company))).toEqual([CHAIN]);
  must(await company.patch({ status: "suspended" }), 200);
  const file = `${company.slug}.changed`;
  expect(await companyOps("backup", company.slug, file)).toMatchObject({ code: 0 });
  const refused = await companyOps("restore", file, "--into", company.slug);
  expect(refused).toMatchObject({ code: 1, stdout: "" });
  expect(refused.stderr).toContain(`this does not hold: ${CHAIN}`);
  expect(sentences(await check(company))).toEqual([CHAIN]);
  expect(await companyOps("restore", early, "--into", company.slug)).toMatchObject({ code: 0, stderr: "" });
  await goesOn(company, write);
});
