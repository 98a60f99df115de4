import { expect, test } from "vitest";
import { must, openCompany, type TestCompany } from "../../support/company.ts";
import { expectSound } from "../../support/oracles.ts";
import { untilQuiet } from "../../support/round-trips.ts";
import { getInvoice, newCustomer, newInvoice, postInvoice, REGISTERED } from "../commerce.ts";
import {
  adjust,
  newPayment,
  newProduct,
  postPayment,
  refund,
  stockOf,
  tally,
  voidInvoice,
} from "../money.ts";

const tenThousand = {
  items: [{ item_name: "Work", quantity: 1, unit: "HRS", unit_price: 10_000, tax_rate: 0 }],
};

async function openForLoad(): Promise<{ company: TestCompany; customerId: string }> {
  const company = await openCompany(REGISTERED);
  await company.raiseLimit();
  return { company, customerId: (await newCustomer(company)).id };
}

const times = <T>(count: number, call: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, call));

test("of 60 payments of 300 on an invoice of 10,000 exactly 33 are accepted", async () => {
  const { company, customerId } = await openForLoad();
  const { id } = await newInvoice(company, customerId, tenThousand);
  const answers = await times(60, () => postPayment(company, { invoice_id: id, amount: 300 }));
  expect(tally(answers)).toEqual({ 201: 33, 422: 27 });
  for (const { status, body } of answers) if (status === 422) expect(body.code).toBe("amount_exceeds_due");
  expect(await getInvoice(company, id)).toMatchObject({ amount_paid: 9_900, amount_due: 100 });
  await expectSound(company);
});

test("a payment and a void at once end in either order, with the books balanced", async () => {
  const { company, customerId } = await openForLoad();
  for (let round = 0; round < 10; round += 1) {
    const { id } = await newInvoice(company, customerId);
    const [paid, voided] = await Promise.all([
      postPayment(company, { invoice_id: id, amount: 354 }),
      voidInvoice(company, id),
    ]);
    expect(voided.status).toBe(200);
    expect([201, 409]).toContain(paid.status);
    expect(await getInvoice(company, id)).toMatchObject({ status: "voided", amount_paid: 0, amount_due: 0 });
  }
  await expectSound(company);
});

test("a payment whose mode is removed or switched off while it is recorded is 422, and leaves nothing", async () => {
  const { company, customerId } = await openForLoad();
  const { id } = await newInvoice(company, customerId, tenThousand);
  const modes = "/settings/:company/payment-modes";
  // As another isolate would: in this one the two writes would follow each other.
  for (const [change, statement] of [
    ["remove", "DELETE FROM payment_modes WHERE id = ?"],
    ["switch off", "UPDATE payment_modes SET is_active = 0 WHERE id = ?"],
  ] as const) {
    const made = { name: `Wallet to ${change}`, mode_type: "online" };
    const mode = must(await company.call("POST", modes, { body: made }), 201).body.data.id;
    await untilQuiet(company);
    await company.faults({ kind: "delay", delay_ms: 1_500, times: 1, writes_only: true });
    const before = await company.requests();
    const paying = postPayment(company, { invoice_id: id, amount: 1, payment_mode_id: mode });
    // Its write is there, and held up.
    await expect.poll(() => company.requests(), { interval: 5, timeout: 10_000 }).toBeGreaterThan(before);
    await company.database().execute({ sql: statement, args: [String(mode)] });
    expect(await paying).toMatchObject({ status: 422, body: { code: "payment_mode_inactive" } });
  }
  expect(await getInvoice(company, id)).toMatchObject({ amount_paid: 0 });
  await expectSound(company);
});

test("of two refunds at once one takes the payment back, the other finds none", async () => {
  const { company, customerId } = await openForLoad();
  for (let round = 0; round < 10; round += 1) {
    const { id: invoiceId } = await newInvoice(company, customerId);
    const { id } = await newPayment(company, { invoice_id: invoiceId, amount: 354 });
    expect(tally(await times(2, () => refund(company, id)))).toEqual({ 200: 1, 404: 1 });
  }
  await expectSound(company);
});

test("of 10 decreases of 1 from a stock of 5 five succeed", async () => {
  const { company } = await openForLoad();
  const { id } = await newProduct(company, { track_stock: true, opening_stock: 5 });
  const answers = await times(10, () => adjust(company, id, { adjustment_type: "decrease", quantity: 1 }));
  expect(tally(answers)).toEqual({ 201: 5, 422: 5 });
  expect(await stockOf(company, id)).toBe(0);
  await expectSound(company);
});

test("of 10 invoices of 1 from a stock of 5 five succeed, and their numbers have no gap", async () => {
  const { company, customerId } = await openForLoad();
  const { id } = await newProduct(company, { track_stock: true, opening_stock: 5 });
  const items = [
    { item_name: "Bottle", quantity: 1, unit: "NOS", unit_price: 10, tax_rate: 5, product_id: id },
  ];
  const answers = await times(10, () => postInvoice(company, customerId, { items }));
  expect(tally(answers)).toEqual({ 201: 5, 409: 5 });
  for (const { status, body } of answers) {
    if (status === 409)
      expect(body).toMatchObject({
        code: "insufficient_stock",
        product_id: id,
        available: expect.any(Number),
      });
  }
  await expectSound(company);
});
