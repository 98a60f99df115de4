import { beforeAll, expect, test } from "vitest";
import { must, openCompany } from "../../support/company.ts";
import { getInvoice, line, listInvoices, newCustomer, newInvoice, REGISTERED } from "../commerce.ts";
import { voidInvoice } from "../money.ts";
import { expectRefused } from "../refusal.ts";
import { settle } from "./page/hosted.ts";
import { expectIdentities } from "./tax/identities.ts";

const company = await openCompany(REGISTERED);
const asha = (await newCustomer(company, { name: "Asha" })).id;
const bela = (await newCustomer(company, { name: "Bela", state: "Goa" })).id;
// Oldest first; the two customers in turn.
const ids: Record<string, string> = {};
beforeAll(async () => {
  const settled = { partial: [100_00, 10_00], paid: [300_00, 54_00] } as const;
  for (const customerId of [asha, bela]) {
    for (const status of ["unpaid", "partial", "paid", "voided"]) {
      const items = [
        { ...line, item_name: `${status} of ${customerId}` },
        { ...line, quantity: 1, tax_rate: 5 },
      ];
      const { id } = await newInvoice(company, customerId, { items: status === "paid" ? [line] : items });
      ids[`${status} ${customerId}`] = id;
      const [paid, tds] = settled[status as keyof typeof settled] ?? [0, 0];
      if (status === "voided") must(await voidInvoice(company, id), 200);
      else await settle(company, id, paid, tds);
    }
  }
});

async function expectListed(query: string, expected: string[]): Promise<void> {
  const listed = await listInvoices(company, query);
  const names = Object.fromEntries(Object.entries(ids).map(([name, id]) => [id, name]));
  expect(listed.map(({ id }) => names[id])).toEqual(expected);
}

const of = (customerId: string, ...statuses: string[]) => statuses.map((status) => `${status} ${customerId}`);

test("the list holds every live invoice, newest first", async () => {
  await expectListed("", [
    ...of(bela, "paid", "partial", "unpaid"),
    ...of(asha, "paid", "partial", "unpaid"),
  ]);
});

test.each(["unpaid", "partial", "paid"])("status=%s is the payment status", async (status) => {
  await expectListed(`status=${status}`, [`${status} ${bela}`, `${status} ${asha}`]);
  for (const invoice of await listInvoices(company, `status=${status}`)) {
    expect([invoice.payment_status, invoice.status]).toEqual([status, "draft"]);
  }
});

test("customer_id gives that customer's invoices, and both filters together what fits both", async () => {
  await expectListed(`customer_id=${asha}`, of(asha, "paid", "partial", "unpaid"));
  await expectListed(`customer_id=${bela}&status=partial`, of(bela, "partial"));
  await expectListed("customer_id=999999", []);
});

test.each([
  ["status=draft", "status", "invalid_value"],
  ["status=overdue", "status", "invalid_value"],
  ["status=", "status", "invalid_value"],
  ["customer_id=abc", "customer_id", "invalid_id"],
  ["customer_id=", "customer_id", "invalid_id"],
  ["customer_id=0", "customer_id", "invalid_id"],
])("%s is 422", async (query, field, code) => {
  const answer = await company.call("GET", `/invoices/:company?${query}`);
  expectRefused(answer, { [field]: code });
});

test("a row of the list is the single read: it omits nothing, and its lines are all its own", async () => {
  const listed = await listInvoices(company);
  expect(listed.length).toBe(6);
  for (const invoice of listed) {
    expect(await getInvoice(company, invoice.id)).toEqual(invoice);
    expectIdentities(invoice);
  }
});
