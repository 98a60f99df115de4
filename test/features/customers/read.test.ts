import { expect, test } from "vitest";
import { openCompany } from "../../support/company.ts";
import { deleteCustomer, getCustomer, listCustomers, newCustomer, newInvoice } from "../commerce.ts";

const company = await openCompany({ state: "Karnataka" });

test("the list is newest first, and leaves out only what is outstanding, and who is deleted", async () => {
  expect(await listCustomers(company)).toEqual([]);
  const created = [
    await newCustomer(company, { name: "First" }),
    await newCustomer(company, { name: "Second", metadata: { tier: "gold" } }),
    await newCustomer(company, { name: "Third", shipping_address: { city: "Hubli" } }),
  ];
  await deleteCustomer(company, (await newCustomer(company, { name: "Leaves" })).id);
  const expected = created
    .map(({ outstanding_amount: _due, balances: _balances, ...rest }) => rest)
    .reverse();
  expect(await listCustomers(company)).toEqual(expected);
});

test("a single read has the amount outstanding on all live invoices", async () => {
  const { id } = await newCustomer(company, { name: "Owes" });
  const other = await newCustomer(company, { name: "Owes too" });
  for (const customer of [id, id, other.id]) await newInvoice(company, customer);
  expect((await getCustomer(company, id)).body.data.outstanding_amount).toBe(708);
});
