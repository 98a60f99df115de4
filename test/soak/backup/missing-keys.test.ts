import { expect, inject, test } from "vitest";
import { must, openCompany, platform, platformRead } from "../../support/company.ts";
import { companyOps } from "../../support/company-ops.ts";
import { useFolder } from "../../support/folder.ts";
import { connectGateway } from "../../support/gateways.ts";
import { operatorOf } from "../../support/operator.ts";
import { MASTER_KEY } from "../../support/service.ts";

const PATIENT = { timeout: 300_000 };

const path = useFolder();
const company = await openCompany({ state: "Karnataka" });
await connectGateway(company, "razorpay");

const run = (words: string[], variables: NodeJS.ProcessEnv = {}) =>
  companyOps(words, { env: { ...operatorOf(inject("service")), ...variables }, cwd: path() });

async function keyOfCredentials(): Promise<string> {
  const select = "SELECT substr(credentials, 4, 12) AS key FROM gateway_accounts";
  return String((await company.database().execute(select)).rows[0]?.key);
}

test("where a master key is not at hand, verify names it and a restore begins nothing", PATIENT, async () => {
  expect(await run(["backup", company.slug, "encrypted.backup"])).toMatchObject({ code: 0 });
  const key = await keyOfCredentials();
  const other = Buffer.alloc(32, 9).toString("base64");
  const told = `encrypted with the master key ${key}, which is needed as PREVIOUS_MASTER_KEY`;
  const verify = (variables: NodeJS.ProcessEnv) => run(["verify", "encrypted.backup"], variables);
  const verified = await verify({ MASTER_KEY: other });
  expect(verified.code).toBe(1);
  expect(verified.stdout).toContain(told);
  expect(verified.stdout).not.toContain(": sound");
  const asked = `${company.slug}-4`;
  for (const [variables, needed] of [
    [{ MASTER_KEY: other }, told],
    [{ MASTER_KEY: "" }, `the master key ${key}, which is needed as MASTER_KEY`],
  ] as const) {
    const refused = await run(["restore", "encrypted.backup", "--as", asked], variables);
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr).toContain(needed);
  }
  must(await platform("GET", `/platform/companies/${asked}`), 404);
  expect(await verify({ MASTER_KEY: other, PREVIOUS_MASTER_KEY: MASTER_KEY })).toMatchObject({ code: 0 });
  expect(await verify({ MASTER_KEY: "" })).toMatchObject({ code: 0 });
});

test(
  "a restore into a company does nothing where the service lacks a key of the backup",
  PATIENT,
  async () => {
    const key = await keyOfCredentials();
    const sql = "UPDATE gateway_accounts SET credentials = 'v2.' || ? || substr(credentials, 16)";
    await company.database().execute({ sql, args: ["0123456789ab"] });
    const made = await run(["backup", company.slug, "other-key.backup"]);
    await company.database().execute({ sql, args: [key] });
    expect(made).toMatchObject({ code: 0 });
    must(await company.patch({ status: "suspended" }), 200);
    const refused = await run(["restore", "other-key.backup", "--into", company.slug]);
    must(await company.patch({ status: "active" }), 200);
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr).toMatch(
      /^Nothing was done. The secrets in the table gateway_accounts are encrypted with the master key 0123456789ab, which the service needs as PREVIOUS_MASTER_KEY/,
    );
    const shown = await platformRead(`/platform/companies/${company.slug}`);
    expect(shown).toMatchObject({ spare_database: null });
  },
);
