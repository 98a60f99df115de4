import { expect, test } from "vitest";
import { newCustomer } from "../../features/commerce.ts";
import { openCompany } from "../../support/company.ts";

test("no row of the audit log that the hourly jobs have not erased can be deleted, and none changed", async () => {
  const company = await openCompany();
  await newCustomer(company);
  const database = company.database();
  await expect(database.execute("DELETE FROM audit_log")).rejects.toThrow("append_only");
  await expect(database.execute("UPDATE audit_log SET actor = 'other'")).rejects.toThrow("append_only");
});
