import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { must } from "../../../support/company.ts";
import { connectGateway, play } from "../../../support/gateways.ts";
import { expectSound } from "../../../support/oracles.ts";
import { check, sentences, tamper } from "../../../tenancy/companies/self-check.ts";
import { submit, visit } from "../../bookings/page/visitor.ts";
import { balancesOf, capturesOf } from "../../captures/captures.ts";
import { rowsOf } from "../../commerce.ts";
import { newPayment, refund, voidInvoice } from "../../money.ts";
import { deliver, razorpayEvent } from "../../storefront/shop.ts";
import { moneyOf, newUnpaid, opened, openSeller, ordersOf, type Unpaid } from "./unpaid.ts";

const BUTTON = 'class="pay"';
const HELD = "Please ask Asha Traders before you pay again";
const TOO_MUCH = "has received more for this invoice than was due";

let unpaid: Unpaid;
let earlier: { captures: number; balances: Record<string, number> };
const seller = await openSeller();
beforeEach(async () => {
  unpaid = await newUnpaid(seller);
  const [captures, balances] = await Promise.all([capturesOf(seller.company), balancesOf(seller.company)]);
  earlier = { captures: captures.length, balances };
});
afterAll(() => expectSound(seller.company));

const pay = (order: string, outcome: Parameters<typeof play>[3] = "paid") =>
  play(seller.company, "razorpay", order, outcome);

/** The captures of this test. */
const taken = async () => (await capturesOf(seller.company)).slice(earlier.captures);

/** What this test has added to an account. */
async function added(name: string): Promise<number> {
  const now = await balancesOf(seller.company);
  return Math.round(((now[name] ?? 0) - (earlier.balances[name] ?? 0)) * 100) / 100;
}

describe("each rupee has its row and its entry", () => {
  test("paid as asked: the invoice is paid out of the gateway's clearing account", async () => {
    await pay(await opened(seller, unpaid));
    expect(await taken()).toEqual(["paid 35400 invoiced 0"]);
    expect(await added("Razorpay Clearing")).toBe(354);
    expect(await added("Customer Advances")).toBe(0);
  });

  test("paid twice: the second payment is an advance, and the page says so", async () => {
    await pay(await opened(seller, unpaid), "twice");
    expect(await taken()).toEqual(["paid 35400 invoiced 0", "duplicate_payment 35400 advance 35400"]);
    expect(await added("Customer Advances")).toBe(-354);
    expect((await visit(unpaid.path)).text).toContain(TOO_MUCH);
  });

  test("a wrong amount is an advance; the page asks for nothing until it is settled", async () => {
    await pay(await opened(seller, unpaid), "wrong_amount");
    expect(await taken()).toEqual(["mismatch 35399 advance 35399"]);
    expect(await added("Customer Advances")).toBe(-353.99);
    expect(await moneyOf(seller, unpaid)).toMatchObject({ payment_status: "unpaid", amount_due: 354 });
    const { text } = await visit(unpaid.path);
    expect(text).toContain(HELD);
    expect(text).not.toContain(BUTTON);
    expect(await submit(`${unpaid.path}/pay`, { once: "1" })).toMatchObject({ status: 303 });
    expect(await ordersOf(seller.company, unpaid.invoice.id)).toHaveLength(1);
  });

  test("paid by hand meanwhile: what is still due is paid, the rest is an advance", async () => {
    const order = await opened(seller, unpaid);
    await newPayment(seller.company, { invoice_id: unpaid.invoice.id, amount: 100 });
    await pay(order);
    expect(await moneyOf(seller, unpaid)).toEqual({
      payment_status: "paid",
      amount_paid: 354,
      amount_due: 0,
    });
    expect(await taken()).toEqual(["paid 35400 advance 10000"]);
    expect(await added("Customer Advances")).toBe(-100);
    expect((await visit(unpaid.path)).text).toContain(TOO_MUCH);
  });

  test("late, after its payment was given up: it pays what is due", async () => {
    const order = await opened(seller, unpaid);
    await rowsOf(seller.company, "UPDATE payment_intents SET status = 'failed' WHERE gateway_order_id = ?", [
      order,
    ]);
    const second = await opened(seller, unpaid);
    await pay(order);
    expect(await moneyOf(seller, unpaid)).toMatchObject({ payment_status: "paid" });
    await pay(second);
    expect(await taken()).toEqual(["paid 35400 invoiced 0", "paid 35400 advance 35400"]);
  });

  test("after a void: all of it is an advance", async () => {
    const order = await opened(seller, unpaid);
    must(await voidInvoice(seller.company, unpaid.invoice.id), 200);
    await pay(order);
    expect(await taken()).toEqual(["paid 35400 advance 35400"]);
    expect(await added("Customer Advances")).toBe(-354);
  });

  test("a void or a record that is taken back leaves the money an advance, and the page asks for nothing", async () => {
    await pay(await opened(seller, unpaid));
    const [payment] = await rowsOf(seller.company, "SELECT id FROM payments ORDER BY id DESC LIMIT 1");
    must(await refund(seller.company, String(payment?.id)), 200);
    expect(await taken()).toEqual(["paid 35400 advance 35400"]);
    const { text } = await visit(unpaid.path);
    expect(text).toContain(HELD);
    expect(text).not.toContain(BUTTON);
    must(await voidInvoice(seller.company, unpaid.invoice.id), 200);
    expect(await taken()).toEqual(["paid 35400 advance 35400"]);
  });

  test("an event before its payment is stored comes again, and pays the invoice", async () => {
    const order = await opened(seller, unpaid);
    const here = `FROM payment_intents WHERE gateway_order_id = '${order}'`;
    const [intent] = await rowsOf(seller.company, `SELECT operation ${here}`);
    await rowsOf(seller.company, `CREATE TABLE set_aside AS SELECT * ${here}`);
    await rowsOf(seller.company, `DELETE ${here}`);
    const placed = { total_amount: 354, currency: "INR", payment_data: { gateway_order_id: order } };
    const notes = { company: seller.company.slug, kind: "invoice", reference: intent?.operation };
    const event = razorpayEvent(placed, { payment: { notes } });
    expect((await deliver(seller.company, seller.connected, event, { id: "evt_early" })).status).toBe(503);
    expect(await taken()).toEqual([]);
    const names = (await rowsOf(seller.company, "SELECT name FROM pragma_table_info('set_aside')")).map(
      ({ name }) => String(name),
    );
    await rowsOf(seller.company, `INSERT INTO payment_intents (${names}) SELECT ${names} FROM set_aside`);
    await rowsOf(seller.company, "DROP TABLE set_aside");
    must(await deliver(seller.company, seller.connected, event, { id: "evt_early" }), 200);
    expect(await taken()).toEqual(["paid 35400 invoiced 0"]);
    expect(await moneyOf(seller, unpaid)).toMatchObject({ payment_status: "paid" });
  });

  test("through an account that was switched off meanwhile: each payment has its row all the same", async () => {
    const order = await opened(seller, unpaid);
    await connectGateway(seller.company, "razorpay", { currencies: ["INR"] });
    const account = `/settings/:company/payment-gateways/${seller.connected.id}`;
    must(await seller.company.call("PATCH", account, { body: { is_active: false } }), 200);
    await pay(order, "twice");
    must(await seller.company.call("PATCH", account, { body: { is_active: true } }), 200);
    expect(await taken()).toEqual(["paid 35400 invoiced 0", "duplicate_payment 35400 advance 35400"]);
  });

  test("two payers at once, one by hand: the due is paid once", async () => {
    const order = await opened(seller, unpaid);
    const byHand = seller.company.call("POST", "/payments/:company", {
      body: {
        invoice_id: unpaid.invoice.id,
        amount: 354,
        payment_date: new Date().toISOString().slice(0, 10),
        payment_mode_id: 2,
      },
    });
    const [answer] = await Promise.all([byHand, pay(order)]);
    const isByHand = answer.status === 201;
    expect(await moneyOf(seller, unpaid)).toMatchObject({ amount_paid: 354, amount_due: 0 });
    expect(await taken()).toEqual([isByHand ? "paid 35400 advance 35400" : "paid 35400 invoiced 0"]);
  });
});

test("the self-check names a payment whose invoice is not there", async () => {
  const other = await openSeller();
  await play(other.company, "razorpay", await opened(other, await newUnpaid(other)), "paid");
  expect(sentences(await check(other.company))).toEqual([]);
  await tamper(other.company, ["UPDATE payment_intents SET ref_id = '999'"]);
  expect(sentences(await check(other.company)).join()).toContain(
    "a paid intent of an invoice has its invoice",
  );
});
