import { expect, test } from "vitest";
import { must, openCompany, type TestCompany } from "../../support/company.ts";
import { check, sentences, tamper } from "../../tenancy/companies/self-check.ts";
import { resume, suspend, useCommandLine } from "./command.ts";

const PATIENT = { timeout: 240_000 };
const CHAIN = "the audit log is what its chain says";
const HEAD = "the audit log leads through the link that the control database knows";
const customer = { name: "Meera Traders", state: "Karnataka", pincode: "560001" };

const { ops, done } = useCommandLine();

/** A company whose audit log has two links, and the last row of the first of them; backed up as `early` between. */
async function chained() {
  const company = await openCompany();
  const write = async () =>
    void must(await company.call("POST", "/customers/:company", { body: customer }), 201);
  await write();
  await company.untilChained();
  const { rows } = await company.database().execute("SELECT max(last_id) AS id FROM audit_links");
  const early = `${company.slug}.early`;
  await done("backup", company.slug, early);
  await write();
  await company.untilChained();
  return { company, early, first: Number(rows[0]?.id), write };
}

async function goesOn(company: TestCompany, write: () => Promise<void>): Promise<void> {
  expect(await check(company)).toMatchObject({ sound: true, broken: [] });
  await resume(company);
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
  await suspend(company);
  const file = `${company.slug}.put-back`;
  await done("backup", company.slug, file);
  await done("restore", file, "--into", company.slug);
  await goesOn(company, write);
});

test("rows that were changed stay found, and are cured by a backup from before alone", PATIENT, async () => {
  const { company, early, write } = await chained();
  await tamper(company, ["UPDATE audit_log SET actor = 'no-one' WHERE id = 1"]);
  expect(sentences(await check(company))).toEqual([CHAIN]);
  await suspend(company);
  const file = `${company.slug}.changed`;
  await done("backup", company.slug, file);
  const refused = await ops("restore", file, "--into", company.slug);
  expect(refused).toMatchObject({ code: 1, stdout: "" });
  expect(refused.stderr).toContain(`this does not hold: ${CHAIN}`);
  expect(sentences(await check(company))).toEqual([CHAIN]);
  await done("restore", early, "--into", company.slug);
  await goesOn(company, write);
});
