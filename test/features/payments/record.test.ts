import { afterAll, describe, expect, test } from "vitest";
import { companyDate } from "#core/calendar.ts";
import { addDays } from "#shared/time/dates.ts";
import { must, openCompany } from "../../support/company.ts";
import { expectSound } from "../../support/oracles.ts";
import { newCustomer, newInvoice, REGISTERED, rowsOf } from "../commerce.ts";
import { BANK, CASH, newPayment, postPayment, today, voidInvoice } from "../money.ts";
import { expectRefused, refusal } from "../refusal.ts";

const company = await openCompany(REGISTERED);
const customerId = (await newCustomer(company)).id;
afterAll(() => expectSound(company));

const invoice = (fields = {}) => newInvoice(company, customerId, fields);

test("a payment of a day to come is refused: the money has not come", async () => {
  const { id } = await invoice();
  const payment_date = addDays(companyDate(Date.now(), "Asia/Kolkata"), 1);
  const answer = await postPayment(company, { invoice_id: id, amount: 1, payment_date });
  expectRefused(answer, { payment_date: "too_big" });
});

test("a payment settles its invoice in part, then in full, and says what is left", async () => {
  const { id, invoice_number: number } = await invoice();
  const part = await newPayment(company, { invoice_id: id, amount: 100 });
  expect(part).toMatchObject({
    payment_number: expect.stringMatching(/^RCPT\/\d\d-\d\d\/\d{5}$/),
    invoice_number: number,
    customer_id: customerId,
    total_settled: 100,
    currency: "INR",
    payment_mode_id: BANK,
    payment_mode: { id: "2", name: "Bank Transfer", mode_type: "bank" },
    journal_entry_id: expect.any(String),
    source: "api",
    invoice: { id, payment_status: "partial", amount_paid: 100, tds_amount: 0, amount_due: 254 },
  });
  const rest = await newPayment(company, {
    invoice_id: id,
    amount: 200,
    tds_amount: 54,
    tds_section: "194C",
  });
  expect(rest).toMatchObject({
    tds_section: "194C",
    total_settled: 254,
    invoice: { payment_status: "paid", amount_paid: 300, tds_amount: 54, amount_due: 0 },
  });
});

test("an amount above what is due is 422 amount_exceeds_due with the amount, to the paisa", async () => {
  const { id } = await invoice({
    items: [{ item_name: "Pin", quantity: 1, unit: "NOS", unit_price: 0.3, tax_rate: 0 }],
    apply_round_off: false,
  });
  const above = await postPayment(company, { invoice_id: id, amount: 0.2, tds_amount: 0.11 });
  expect(above).toMatchObject({ status: 422, body: { code: "amount_exceeds_due", amount_due: 0.3 } });
  expect(await newPayment(company, { invoice_id: id, amount: 0.1 + 0.1, tds_amount: 0.1 })).toMatchObject({
    invoice: { payment_status: "paid" },
  });
});

describe("what cannot be recorded", () => {
  test.each([
    [{ amount: 0 }, { amount: "too_small" }],
    [{ amount: 0.001 }, { amount: "too_small" }],
    [{ amount: 1.005 }, { amount: "invalid_precision" }],
    [{ amount: 1, tds_amount: -1 }, { tds_amount: "too_small" }],
    [{ amount: 1, payment_date: "2026-02-30" }, { payment_date: "invalid_date" }],
    [{ amount: 1, tds_section: "x".repeat(41) }, { tds_section: "too_big" }],
    [{ amount: 1, reference_number: "x".repeat(101) }, { reference_number: "too_big" }],
    [{ amount: 1, notes: "x".repeat(501) }, { notes: "too_big" }],
    [{ amount: 1, payment_mode_id: "x" }, { payment_mode_id: "invalid_id" }],
  ])("%j is 422", async (fields, refused) => {
    const answer = await postPayment(company, { invoice_id: (await invoice()).id, ...fields });
    expectRefused(answer, refused);
  });

  test("an unknown invoice is 404, a voided one 409, another currency 422", async () => {
    expect(await postPayment(company, { invoice_id: "999999", amount: 1 })).toMatchObject(
      refusal(404, "not_found", { resource: "invoice" }),
    );
    const { id } = await invoice();
    must(await voidInvoice(company, id), 200);
    expect(await postPayment(company, { invoice_id: id, amount: 1 })).toMatchObject(
      refusal(409, "invoice_voided"),
    );
    const { id: foreign } = await invoice();
    await rowsOf(company, "UPDATE invoices SET currency = 'USD' WHERE id = ?", [foreign]);
    expect(await postPayment(company, { invoice_id: foreign, amount: 1 })).toMatchObject(
      refusal(422, "currency_not_supported"),
    );
    // No company with books in rupees has such an invoice in them.
    await rowsOf(company, "UPDATE invoices SET currency = 'INR' WHERE id = ?", [foreign]);
  });

  test("of several reasons the first counts: the invoice, its mode, then its amount", async () => {
    const { id } = await invoice();
    const tooMuch = { invoice_id: id, amount: 1_000_000 };
    expect(await postPayment(company, { ...tooMuch, payment_mode_id: "999999" })).toMatchObject(
      refusal(422, "payment_mode_inactive"),
    );
    must(await voidInvoice(company, id), 200);
    expect(await postPayment(company, { ...tooMuch, payment_mode_id: "999999" })).toMatchObject(
      refusal(409, "invoice_voided"),
    );
  });

  test("an unknown or inactive mode is 422 payment_mode_inactive", async () => {
    const mode = { name: "Old wallet", mode_type: "online", is_active: false };
    const made = must(await company.call("POST", "/settings/:company/payment-modes", { body: mode }), 201);
    for (const payment_mode_id of [made.body.data.id, 999_999]) {
      const answer = await postPayment(company, {
        invoice_id: (await invoice()).id,
        amount: 1,
        payment_mode_id,
      });
      expect(answer).toMatchObject({ status: 422, body: { code: "payment_mode_inactive" } });
    }
  });
});

test("the mode is named by its id as a number or as the list's string", async () => {
  const { id } = await invoice();
  const methods = must(await company.call<{ id: string }[]>("GET", "/payments/:company/methods"), 200).body
    .data;
  const mode = methods[0]?.id ?? "";
  for (const payment_mode_id of [mode, Number(mode)])
    await newPayment(company, { invoice_id: id, amount: 1, payment_mode_id });
});

describe("the receipt entry is best effort: the payment is recorded, journal_entry_id is null", () => {
  test("where no financial year can be resolved", async () => {
    const payment = await newPayment(company, {
      invoice_id: (await invoice()).id,
      amount: 1,
      payment_date: "1990-01-01",
    });
    expect(payment).toMatchObject({ journal_entry_id: null, payment_number: "RCPT/89-90/00001" });
    must(await company.call("POST", `/payments/:company/${payment.id}/refund`), 200);
  });

  test("where the mode's account is switched off", async () => {
    const account = must(
      await company.call("POST", "/settings/:company/accounts", {
        body: { code: "1099", name: "Closed bank", type: "asset" },
      }),
      201,
    ).body.data.id;
    const mode = { name: "Closed", mode_type: "bank", account_id: account };
    const payment_mode_id = must(
      await company.call("POST", "/settings/:company/payment-modes", { body: mode }),
      201,
    ).body.data.id;
    const path = `/settings/:company/accounts/${account}`;
    must(await company.call("PATCH", path, { body: { is_active: false } }), 200);
    const payment = await newPayment(company, {
      invoice_id: (await invoice()).id,
      amount: 1,
      payment_mode_id,
    });
    expect(payment.journal_entry_id).toBeNull();
    must(await company.call("POST", `/payments/:company/${payment.id}/refund`), 200);
  });
});

test("payments are listed newest first, by invoice and by customer, without those taken back", async () => {
  const other = (await newCustomer(company)).id;
  const [one, two] = [await newInvoice(company, other), await newInvoice(company, other)];
  const first = await newPayment(company, {
    invoice_id: one.id,
    amount: 1,
    payment_mode_id: CASH,
    payment_date: today(),
  });
  const second = await newPayment(company, { invoice_id: two.id, amount: 2 });
  const ids = async (query: string) =>
    must(await company.call<{ id: string }[]>("GET", `/payments/:company?${query}`), 200).body.data.map(
      ({ id }) => id,
    );
  expect(await ids(`customer_id=${other}`)).toEqual([second.id, first.id]);
  expect(await ids(`invoice_id=${one.id}`)).toEqual([first.id]);
  expect(await ids(`invoice_id=${one.id}&customer_id=${customerId}`)).toEqual([]);
  must(await company.call("POST", `/payments/:company/${first.id}/refund`), 200);
  expect(await ids(`customer_id=${other}`)).toEqual([second.id]);
});
