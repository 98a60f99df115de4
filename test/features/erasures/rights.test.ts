import { expect, test } from "vitest";
import { must, openCompany } from "../../support/company.ts";
import { newCustomer, rowsOf } from "../commerce.ts";
import { refusal } from "../refusal.ts";
import { ERASURES } from "./person.ts";

const WRITES = ["customers:write", "invoices:write", "messages:write", "orders:write"] as const;

test.each(WRITES)(
  "a person is not erased by a key that lacks %s, whatever there is of them",
  async (lacked) => {
    const company = await openCompany();
    const { id } = await newCustomer(company, { email: "meera@example.com" });
    const key = await company.key("settings:write", ...WRITES.filter((scope) => scope !== lacked));
    for (const email of ["meera@example.com", "stranger@example.com"])
      expect(await company.call("POST", ERASURES, { key, body: { email } })).toMatchObject(
        refusal(403, "insufficient_scope", { required_scope: lacked }),
      );
    expect(await rowsOf(company, `SELECT email FROM customers WHERE id = ${id}`)).toEqual([
      { email: "meera@example.com" },
    ]);
    expect(await rowsOf(company, "SELECT id FROM person_erasures")).toEqual([]);
  },
);

test("a person is erased by a key that writes every kind of record concerned", async () => {
  const company = await openCompany();
  await newCustomer(company, { email: "meera@example.com" });
  const key = await company.key("settings:write", ...WRITES);
  const made = await company.call<{ erased: { customers: number } }>("POST", ERASURES, {
    key,
    body: { email: "meera@example.com" },
  });
  expect(must(made, 201).body.data.erased.customers).toBe(1);
});
