import { expect, test } from "vitest";
import { openCompany } from "../../support/company.ts";
import { deleteCustomer, getCustomer, listCustomers, newCustomer, newInvoice } from "../commerce.ts";

const company = await openCompany({ state: "Karnataka" });
const first = await newCustomer(company, { name: "First" });
const second = await newCustomer(company, { name: "Second", metadata: { tier: "gold" } });

test("a single read is what the create answered", async () => {
  expect(await getCustomer(company, first.id)).toMatchObject({ status: 200, body: { data: first } });
});

test("a single read has the amount outstanding on all live invoices", async () => {
  const { id } = await newCustomer(company, { name: "Owes" });
  await newInvoice(company, id);
  await newInvoice(company, id);
  await newInvoice(company, first.id);
  expect((await getCustomer(company, id)).body.data.outstanding_amount).toBe(708);
  await deleteCustomer(company, id);
});

// The first of the next two tests finds it without customers.
const own = await openCompany({ state: "Karnataka" });

test("a company without customers has an empty list", async () => {
  const answer = await own.call("GET", "/customers/:company");
  expect(answer.body).toEqual({ data: [], paging: { next_cursor: null, has_more: false } });
});

test("the list is newest first, and leaves out only what is outstanding", async () => {
  const created = [
    await newCustomer(own, { name: "First" }),
    await newCustomer(own, { name: "Second", metadata: { tier: "gold" } }),
    await newCustomer(own, { name: "Third", shipping_address: { city: "Hubli" } }),
  ];
  const expected = created
    .map(({ outstanding_amount: _due, balances: _balances, ...rest }) => rest)
    .reverse();
  expect(await listCustomers(own)).toEqual(expected);
});

test("a deleted customer is in no list", async () => {
  const { id } = await newCustomer(company, { name: "Leaves" });
  await deleteCustomer(company, id);
  const ids = (await listCustomers(company, "limit=100")).map((customer) => customer.id);
  expect(ids).toContain(second.id);
  expect(ids).not.toContain(id);
});

test.each(["999999", "0", "-1", "1.0", "01", "abc", "1e3", "9".repeat(19), "%20", "null"])(
  "an id %s that no customer has is 404",
  async (id) => {
    expect(await getCustomer(company, id)).toMatchObject({ status: 404, body: { code: "not_found" } });
  },
);

test("a customer of another company is 404", async () => {
  const other = await openCompany();
  expect(await getCustomer(other, second.id)).toMatchObject({ status: 404, body: { code: "not_found" } });
});
