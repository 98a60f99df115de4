import { expect, test } from "vitest";
import { must, openCompany, type TestCompany } from "../../support/company.ts";
import { expectSound } from "../../support/oracles.ts";

const DAY = 86_400;
const customer = { name: "Meera Traders", state: "Karnataka", pincode: "560001" };

const create = async (company: TestCompany) =>
  must(await company.call("POST", "/customers/:company", { body: customer }), 201);

async function rows(company: TestCompany): Promise<number[]> {
  const { rows } = await company.database().execute("SELECT id FROM audit_log ORDER BY id");
  return rows.map(({ id }) => Number(id));
}

test("rows of the audit log are erased after ten years, in steps, and what is left is known to be whole", async () => {
  const company = await openCompany();
  await create(company);
  await company.database().execute(
    `INSERT INTO audit_log (at, actor, action, record, request_id)
      WITH RECURSIVE n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 1200)
      SELECT at, actor, action, record, request_id FROM audit_log, n`,
  );
  await company.clock(2 * DAY);
  await create(company);
  expect(await rows(company)).toHaveLength(1_202);
  await company.clock(3_654 * DAY);
  await company.sweep(async () => (await rows(company)).length === 1);
  expect(await rows(company)).toEqual([1_202]);
  await expectSound(company);
});

test("no row of the audit log that housekeeping has not erased can be deleted, and none changed", async () => {
  const company = await openCompany();
  await create(company);
  const database = company.database();
  await expect(database.execute("DELETE FROM audit_log")).rejects.toThrow("append_only");
  await expect(database.execute("UPDATE audit_log SET actor = 'nobody'")).rejects.toThrow("append_only");
});
