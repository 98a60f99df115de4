import { describe, expect, test } from "vitest";
import { companyDate } from "#core/calendar.ts";
import { addDays } from "#shared/time/dates.ts";
import { must, openCompany, type TestCompany } from "../../support/company.ts";
import { getInvoice, line, newCustomer, newInvoice, openTrader } from "../commerce.ts";
import { BANK, CASH, newPayment, postPayment, refund, tally, times, today, voidInvoice } from "../money.ts";
import { expectRefused, refusal } from "../refusal.ts";

const { company, customerId } = await openTrader();

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
    await company.rows("UPDATE invoices SET currency = 'USD' WHERE id = ?", foreign);
    expect(await postPayment(company, { invoice_id: foreign, amount: 1 })).toMatchObject(
      refusal(422, "currency_not_supported"),
    );
    // No company with books in rupees has such an invoice in them.
    await company.rows("UPDATE invoices SET currency = 'INR' WHERE id = ?", foreign);
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
});

test("a payment of no financial year is recorded, without an entry", async () => {
  const payment = await newPayment(company, {
    invoice_id: (await invoice()).id,
    amount: 1,
    payment_date: "1990-01-01",
  });
  expect(payment).toMatchObject({ journal_entry_id: null, payment_number: "RCPT/89-90/00001" });
  must(await company.call("POST", `/payments/:company/${payment.id}/refund`), 200);
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
    (await company.read<{ id: string }[]>(`/payments/:company?${query}`)).map(({ id }) => id);
  expect(await ids(`customer_id=${other}`)).toEqual([second.id, first.id]);
  expect(await ids(`invoice_id=${one.id}`)).toEqual([first.id]);
  expect(await ids(`invoice_id=${one.id}&customer_id=${customerId}`)).toEqual([]);
  must(await company.call("POST", `/payments/:company/${first.id}/refund`), 200);
  expect(await ids(`customer_id=${other}`)).toEqual([second.id]);
});

const tenThousand = {
  items: [{ item_name: "Work", quantity: 1, unit: "HRS", unit_price: 10_000, tax_rate: 0 }],
};

test("of 60 payments of 300 on an invoice of 10,000 exactly 33 are accepted", async () => {
  await company.raiseLimit();
  const { id } = await invoice(tenThousand);
  const answers = await times(60, () => postPayment(company, { invoice_id: id, amount: 300 }));
  expect(tally(answers)).toEqual({ 201: 33, 422: 27 });
  for (const { status, body } of answers) if (status === 422) expect(body.code).toBe("amount_exceeds_due");
  expect(await getInvoice(company, id)).toMatchObject({ amount_paid: 9_900, amount_due: 100 });
});

test("a payment whose mode is removed or switched off while it is recorded is 422, and leaves nothing", async () => {
  const { id } = await invoice();
  const modes = "/settings/:company/payment-modes";
  // As another isolate would: in this one the two writes would follow each other.
  for (const [change, statement] of [
    ["remove", "DELETE FROM payment_modes WHERE id = ?"],
    ["switch off", "UPDATE payment_modes SET is_active = 0 WHERE id = ?"],
  ] as const) {
    const made = { name: `Wallet to ${change}`, mode_type: "online" };
    const mode = (await company.make(modes, made)).id;
    // A notice's write is not held up.
    const held = { about: "payment_modes", times: 1, writes_only: true };
    await company.faults({ kind: "delay", delay_ms: 1_500, ...held });
    const paying = postPayment(company, { invoice_id: id, amount: 1, payment_mode_id: mode });
    // Its write is there, and held up.
    await expect.poll(() => company.faultsMet(), { interval: 5, timeout: 10_000 }).toBe(1);
    await company.rows(statement, String(mode));
    expect(await paying).toMatchObject({ status: 422, body: { code: "payment_mode_inactive" } });
  }
  expect(await getInvoice(company, id)).toMatchObject({ amount_paid: 0 });
});

const LIMIT = ["cash_limit_269st"];

/** A customer with an invoice of ten lakh rupees, and what recording money of it warns of. */
async function open(company: TestCompany) {
  const { id: customerId } = await newCustomer(company);
  const items = [{ ...line, quantity: 1, unit_price: 1_000_000, tax_rate: 0 }];
  const { id: invoice_id } = await newInvoice(company, customerId, { items });
  // Also where a day ends meanwhile.
  const payment_date = today();
  const pay = async (amount: number, fields = {}) => {
    const body = { invoice_id, amount, payment_date, payment_mode_id: CASH, ...fields };
    return must(await postPayment(company, body), 201).body.data;
  };
  const another = async () => (await newInvoice(company, customerId, { items })).id;
  return { pay, another };
}

test("a cash receipt of 2,00,000 rupees or more is recorded, and warns of section 269ST", async () => {
  expect((await (await open(company)).pay(200_000)).warnings).toEqual(LIMIT);
  expect((await (await open(company)).pay(199_999.99)).warnings).toBeUndefined();
  expect((await (await open(company)).pay(200_000, { payment_mode_id: BANK })).warnings).toBeUndefined();
});

test("cash of one person on one day counts together, whatever invoices it settles", async () => {
  const { pay, another } = await open(company);
  const yesterday = { payment_date: addDays(today(), -1) };
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

test("a company whose books are not in rupees is not warned of section 269ST", async () => {
  const company = await openCompany({ currency: "AED" });
  expect((await (await open(company)).pay(500_000)).warnings).toEqual(["other_currency"]);
});
