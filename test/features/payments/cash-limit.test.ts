import { expect, test } from "vitest";
import { must, openCompany, type TestCompany } from "../../support/company.ts";
import { expectSound } from "../../support/oracles.ts";
import { line, newCustomer, newInvoice, REGISTERED } from "../commerce.ts";
import { BANK, CASH, postPayment, refund, today } from "../money.ts";

const LIMIT = ["cash_limit_269st"];

/** A customer with an invoice of ten lakh rupees, and what recording money of it warns of. */
async function open(company: TestCompany) {
  const { id: customerId } = await newCustomer(company);
  const items = [{ ...line, quantity: 1, unit_price: 1_000_000, tax_rate: 0 }];
  const { id: invoice_id } = await newInvoice(company, customerId, { items });
  const pay = async (amount: number, fields = {}) => {
    const body = { invoice_id, amount, payment_mode_id: CASH, ...fields };
    return must(await postPayment(company, body), 201).body.data;
  };
  const another = async () => (await newInvoice(company, customerId, { items })).id;
  return { pay, another };
}

const company = await openCompany(REGISTERED);

test("a cash receipt of 2,00,000 rupees or more is recorded, and warns of section 269ST", async () => {
  expect((await (await open(company)).pay(200_000)).warnings).toEqual(LIMIT);
  expect((await (await open(company)).pay(199_999.99)).warnings).toBeUndefined();
  expect((await (await open(company)).pay(200_000, { payment_mode_id: BANK })).warnings).toBeUndefined();
  await expectSound(company);
});

test("cash of one person on one day counts together, whatever invoices it settles", async () => {
  const { pay, another } = await open(company);
  const yesterday = { payment_date: "2026-11-20" };
  expect((await pay(150_000, yesterday)).warnings).toBeUndefined();
  expect((await pay(150_000)).warnings).toBeUndefined();
  expect((await pay(60_000, { payment_mode_id: BANK })).warnings).toBeUndefined();
  expect((await (await open(company)).pay(100_000)).warnings).toBeUndefined();
  const over = await pay(50_000, { invoice_id: await another() });
  expect(over.warnings).toEqual(LIMIT);
  expect((await pay(1)).warnings).toEqual(LIMIT);
  expect((await pay(49_999, yesterday)).warnings).toBeUndefined();
  // Tax deducted at source is no cash; what was taken back is none any more.
  must(await refund(company, over.id), 200);
  expect((await pay(40_000, { tds_amount: 20_000 })).warnings).toBeUndefined();
  await expectSound(company);
});

test("a replay warns as the first answer did, and an unposted receipt says both", async () => {
  const { pay, another } = await open(company);
  expect((await pay(200_000, { payment_date: "1999-01-01" })).warnings).toEqual([
    "no_financial_year",
    ...LIMIT,
  ]);
  const body = {
    ...{ invoice_id: await another(), amount: 200_000 },
    ...{ payment_mode_id: CASH, payment_date: today() },
  };
  const call = { body, headers: { "Idempotency-Key": "cash-of-one-day" } };
  const first = must(await company.call("POST", "/payments/:company", call), 201);
  expect(first.body.data.warnings).toEqual(LIMIT);
  const again = must(await company.call("POST", "/payments/:company", call), 201);
  expect(again.body).toEqual(first.body);
});

test("a company abroad, which section 269ST does not bind, is not warned", async () => {
  const company = await openCompany({ country: "AE", currency: "INR" });
  expect((await (await open(company)).pay(500_000)).warnings).toBeUndefined();
});
