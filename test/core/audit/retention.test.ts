import { expect, test } from "vitest";
import { must, openCompany, type TestCompany } from "../../support/company.ts";

const customer = { name: "Meera Traders", state: "Karnataka", pincode: "560001" };

const create = async (company: TestCompany) =>
  must(await company.call("POST", "/customers/:company", { body: customer }), 201);

test("no row of the audit log that the hourly jobs have not erased can be deleted, and none changed", async () => {
  const company = await openCompany();
  await create(company);
  const database = company.database();
  await expect(database.execute("DELETE FROM audit_log")).rejects.toThrow("append_only");
  await expect(database.execute("UPDATE audit_log SET actor = 'other'")).rejects.toThrow("append_only");
});
