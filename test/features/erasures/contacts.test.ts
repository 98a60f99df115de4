import { expect, test } from "vitest";
import type * as z from "zod";
import type { listedOrder } from "../../../src/features/storefront/orders/record.ts";
import { must, openCompany, type TestCompany } from "../../support/company.ts";
import { expectSound } from "../../support/oracles.ts";
import { getInvoice, newCustomer, newInvoice, patchCustomer, REGISTERED } from "../commerce.ts";
import { newPayment, voidInvoice } from "../money.ts";
import { settledLines } from "../notifications/notified.ts";
import { implausible, pay, read, resolved } from "../storefront/orders/review.ts";
import { openShop, placeOrder, shopper } from "../storefront/shop.ts";
import { erase, found } from "./person.ts";

const EMAIL = "Noor.Sheikh@mail.example";
const PHONE = "+919845088888";
const NOOR = { name: "Noor Sheikh", email: EMAIL, phone: PHONE };
const ADDRESSES = [EMAIL, "9845088888"] as const;
const places = (company: TestCompany) => found(company, ...ADDRESSES);

test("invoices of any status lose only the buyer's address and number, and no event has them again", async () => {
  const company = await openCompany(REGISTERED);
  const { id } = await newCustomer(company, NOOR);
  const [open, paid, voided] = [
    await newInvoice(company, id),
    await newInvoice(company, id),
    await newInvoice(company, id),
  ];
  await newPayment(company, { invoice_id: paid.id, amount: paid.total_amount });
  must(await voidInvoice(company, voided.id), 200);
  // Another customer's invoice, with the address that they had.
  const other = await newCustomer(company, { name: "Noor again", email: EMAIL });
  const old = await newInvoice(company, other.id);
  must(await patchCustomer(company, other.id, { email: "new@mail.example" }), 200);
  const before = await Promise.all([open, paid, voided, old].map((one) => getInvoice(company, one.id)));
  const events = "SELECT count(*) AS n FROM events WHERE type <> 'person.erased'";
  const told = await company.rows(events);

  const { kept } = await erase(company, { email: EMAIL.toLowerCase(), phone: "9845088888" });
  expect(await places(company)).toEqual([]);
  for (const was of before)
    expect(await getInvoice(company, was.id)).toEqual({
      ...was,
      customer: { ...was.customer, email: null, phone: null },
    });
  expect(kept.filter(({ what }) => what === "invoices")).toHaveLength(1);
  // Their own, of the customer who was blanked.
  const customers =
    "SELECT count(*) AS n FROM events WHERE type LIKE 'customer.%' AND at = (SELECT max(at) FROM events)";
  const [{ n: more = 0 } = {}] = await company.rows(customers);
  expect(await company.rows(events)).toEqual([{ n: Number(told[0]?.n) + Number(more) }]);

  await newPayment(company, { invoice_id: open.id, amount: open.total_amount });
  must(await voidInvoice(company, old.id), 200);
  expect(await places(company)).toEqual([]);
  expect(await company.call("POST", `/invoices/:company/${open.id}/send`)).toMatchObject({
    body: { code: "customer_email_missing" },
  });
  await expectSound(company);
}, 60_000);

test("a voided invoice stays as it is in every other column", async () => {
  const company = await openCompany(REGISTERED);
  const { id } = await newInvoice(company, (await newCustomer(company, NOOR)).id);
  must(await voidInvoice(company, id), 200);
  const columns = await company.rows("SELECT name FROM pragma_table_info('invoices')");
  const changes = [
    ...columns.filter(({ name }) => name !== "customer").map(({ name }) => `${name} = ${name}`),
    "customer = json_set(customer, '$.name', 'x')",
    "customer = json_set(customer, '$.email', NULL, '$.phone', NULL, '$.gstin', 'x')",
  ];
  expect(changes.length).toBeGreaterThan(35);
  for (const change of changes)
    await expect(company.rows(`UPDATE invoices SET ${change} WHERE id = ${id}`), change).rejects.toThrow(
      "invoice_voided",
    );
});

test("a paid order loses them with its invoice and is kept as long; one that waits for money stays until then", async () => {
  const shop = await openShop();
  const { company } = shop;
  const customer = { ...shopper, ...NOOR, shipping_address: { name: "Noor", phone: null, city: "Mysuru" } };
  const [done, waits] = [await placeOrder(company, { customer }), await placeOrder(company, { customer })];
  await pay(shop, done);
  const was = await read(shop, done.order_id);
  const { kept } = await erase(company, { email: EMAIL, phone: PHONE });
  expect(await read(shop, done.order_id)).toEqual({
    ...was,
    customer: { ...was.customer, email: "erased", phone: null },
  });
  const found = async () =>
    (await company.read<z.infer<typeof listedOrder.schema>[]>(`/orders/:company?q=${EMAIL}`)).map(
      ({ id }) => id,
    );
  expect(await found()).toEqual([String(waits.order_id)]);
  expect(await places(company)).toEqual(["sales_orders.customer"]);
  const untilOf = (kind: string) => kept.filter(({ what }) => what === kind).map(({ until }) => until);
  expect(untilOf("orders").toSorted()).toEqual([...untilOf("invoices"), null].toSorted());
  expect(untilOf("invoices")).toEqual([expect.stringMatching(/-12-31$/)]);

  // The next erasure erases the events and messages of its payment.
  await pay(shop, waits);
  await settledLines(company);
  expect(await places(company)).toEqual([
    "events.snapshot",
    "invoices.customer",
    "message_recipients.address",
    "sales_orders.customer",
  ]);
  await erase(company, { email: EMAIL });
  expect(await places(company)).toEqual([]);
  expect(await found()).toEqual([]);
  await expectSound(company);
}, 60_000);

test("an invoice that is made of an erased order later has no address", async () => {
  const { shop, id } = await implausible();
  const { company } = shop;
  await company.rows(
    "UPDATE sales_orders SET customer = json_set(customer, '$.email', 'erased', '$.phone', NULL)",
  );
  const { invoice_id } = await resolved(shop, id, { action: "invoice" });
  expect((await getInvoice(company, String(invoice_id))).customer).toMatchObject({
    email: null,
    phone: null,
  });
});

test("a later erasure clears events of a record that no longer has the address", async () => {
  const company = await openCompany();
  const { id } = await newCustomer(company, NOOR);
  const invoice = await newInvoice(company, id);
  await erase(company, { email: EMAIL });
  const told = JSON.stringify({ customer: { email: EMAIL } });
  await company.rows(
    `UPDATE events SET snapshot = ? WHERE resource = 'invoice' AND record_id = ?`,
    told,
    invoice.id,
  );
  expect(await places(company)).toEqual(["events.snapshot"]);
  expect((await erase(company, { email: EMAIL.toUpperCase() })).erased.events).toBe(1);
  expect(await places(company)).toEqual([]);
});
