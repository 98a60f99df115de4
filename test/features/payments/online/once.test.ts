import { beforeEach, describe, expect, test } from "vitest";
import { must } from "../../../support/company.ts";
import { gatewayFaults, play, redirectEvents } from "../../../support/gateways.ts";
import { soundAtEnd } from "../../../support/oracles.ts";
import { submit, visit } from "../../bookings/page/visitor.ts";
import { addedTo } from "../../captures/captures.ts";
import { newInvoice } from "../../commerce.ts";
import { pagePath } from "../../invoices/page/hosted.ts";
import { newPayment, refund, voidInvoice } from "../../money.ts";
import { dueOf } from "../../refunds/refunds.ts";
import { cutOff } from "../../storefront/shop.ts";
import {
  moneyOf,
  newUnpaid,
  offer,
  opened,
  openSeller,
  ordersOf,
  PAID,
  press,
  type Unpaid,
} from "./unpaid.ts";

const BUTTON = 'class="pay"';

const HELD = "Please ask Asha Traders before you pay again";
const TOO_MUCH = "has received more for this invoice than was due";

let unpaid: Unpaid;
const seller = soundAtEnd(await openSeller());
beforeEach(async () => {
  unpaid = await newUnpaid(seller);
});
const { added, taken } = addedTo(seller.company);

const pay = (order: string, outcome: Parameters<typeof play>[3] = "paid") =>
  play(seller.company, "razorpay", order, outcome);

describe("no payer is asked twice", () => {
  test("a press that is sent again leads to what holds now, and not to the gateway's page of its first time", async () => {
    const other = await openSeller("stripe", ["INR"]);
    const [paid, voided] = [await newUnpaid(other), await newUnpaid(other)];
    for (const { path } of [paid, voided])
      expect((await submit(`${path}/pay`, { once: "same" })).location).toMatch(/^http.*stripe/);
    await newPayment(other.company, { invoice_id: paid.invoice.id, amount: 100 });
    expect((await submit(`${paid.path}/pay`, { once: "same" })).location).toMatch(/\/pay$/);
    must(await voidInvoice(other.company, voided.invoice.id), 200);
    expect((await submit(`${voided.path}/pay`, { once: "same" })).location).toMatch(/\/pay$/);
    expect((await visit(`${voided.path}/pay`)).status).toBe(410);
  });

  test("what was asked for before an amount changed is ended at a gateway that can", async () => {
    const other = await openSeller("stripe", ["INR"]);
    const owed = await newUnpaid(other);
    const first = await opened(other, owed);
    await newPayment(other.company, { invoice_id: owed.invoice.id, amount: 54 });
    await opened(other, owed);
    await expect(play(other.company, "stripe", first, "paid")).rejects.toThrow("The order is expired.");
  });

  test("an amount that has changed is asked anew, and the database holds to one open payment", async () => {
    const first = await opened(seller, unpaid);
    await newPayment(seller.company, { invoice_id: unpaid.invoice.id, amount: 54 });
    expect((await visit(`${unpaid.path}/pay`)).text).toContain("₹300.00");
    const second = await opened(seller, unpaid);
    expect(second).not.toBe(first);
    const rows = await seller.company.rows(
      "SELECT status, amount FROM payment_intents WHERE kind = 'invoice' AND ref_id = ? ORDER BY id",
      unpaid.invoice.id,
    );
    expect(rows).toEqual([
      { status: "failed", amount: 35_400 },
      { status: "created", amount: 30_000 },
    ]);
    const twice = `INSERT INTO payment_intents (operation, kind, ref_id, gateway, gateway_account_id, amount, currency, next_look_at, created_at)
      SELECT 'other', kind, ref_id, gateway, gateway_account_id, amount, currency, 1, 1 FROM payment_intents WHERE gateway_order_id = ?`;
    await expect(seller.company.rows(twice, second)).rejects.toThrow("payment_intents.ref_id");
  });

  test("a press that another overtook while it was cut off is asked to come again, and then opens what is due", async () => {
    const other = await opened(seller, await newUnpaid(seller));
    await seller.company.faults(...cutOff("payment_intents"));
    const once = { once: "cut off" };
    const pressed = submit(`${unpaid.path}/pay`, once);
    await expect.poll(() => seller.company.faultsMet(), { interval: 5 }).toBe(2);
    // Another isolate opens one first.
    await seller.company.rows(
      `INSERT INTO payment_intents (operation, kind, ref_id, gateway, gateway_account_id, amount, currency, next_look_at, created_at)
        SELECT 'overtook', kind, ?, gateway, gateway_account_id, 30000, currency, 1, 1 FROM payment_intents WHERE gateway_order_id = ?`,
      unpaid.invoice.id,
      other,
    );
    expect((await pressed).status).toBe(503);
    await seller.company.faults();
    expect((await submit(`${unpaid.path}/pay`, once)).status).toBe(303);
    expect(await ordersOf(seller.company, unpaid.invoice.id)).toHaveLength(2);
  });

  test("what is paid or voided shows no button, and asks for nothing", async () => {
    await newPayment(seller.company, { invoice_id: unpaid.invoice.id, amount: 354 });
    expect((await visit(unpaid.path)).text).not.toContain(BUTTON);
    const pressed = await submit(`${unpaid.path}/pay`, { once: "1" });
    expect(pressed).toMatchObject({ status: 303, location: expect.stringMatching(`${unpaid.path}$`) });
    const voided = await newUnpaid(seller);
    must(await voidInvoice(seller.company, voided.invoice.id), 200);
    for (const end of ["", "/pay"]) expect((await visit(voided.path + end)).status).toBe(410);
    expect((await submit(`${voided.path}/pay`, { once: "1" })).status).toBe(410);
    expect(await ordersOf(seller.company, voided.invoice.id)).toEqual([]);
  });

  test("a payment whose event did not come is found before another is asked for", async () => {
    const order = await opened(seller, unpaid);
    await redirectEvents(seller.company, seller.connected, `${seller.company.url}/nowhere`);
    await pay(order);
    await redirectEvents(seller.company, seller.connected, String(seller.connected.merchant.webhook_url));
    const pressed = await submit(`${unpaid.path}/pay`, { once: "again" });
    expect(pressed).toMatchObject({ status: 303, location: expect.stringMatching(`${unpaid.path}$`) });
    expect(await moneyOf(seller, unpaid)).toMatchObject({ payment_status: "paid" });
    expect(await ordersOf(seller.company, unpaid.invoice.id)).toEqual([order]);
  });

  test("a setting switches it off, on the page and in the e-mail", async () => {
    await offer(seller, false);
    expect((await visit(unpaid.path)).text).not.toContain(BUTTON);
    expect(await submit(`${unpaid.path}/pay`, { once: "1" })).toMatchObject({ status: 303 });
    expect(await ordersOf(seller.company, unpaid.invoice.id)).toEqual([]);
    await offer(seller, true);
    expect((await visit(unpaid.path)).text).toContain(BUTTON);
  });

  test("without a gateway for its currency there is no button", async () => {
    const abroad = await newInvoice(seller.company, seller.customerId);
    await seller.company.rows("UPDATE gateway_accounts SET is_active = 0");
    expect((await visit(await pagePath(seller.company, abroad.id))).text).not.toContain(BUTTON);
    await seller.company.rows("UPDATE gateway_accounts SET is_active = 1");
  });

  test("a gateway that does not open it says so, and another try may", async () => {
    await gatewayFaults(seller.company, seller.connected, { refused_call: 1 });
    const refused = await submit(`${unpaid.path}/pay`, { once: "1" });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain("The payment could not be started");
    await gatewayFaults(seller.company, seller.connected, {});
    expect(await press(seller, unpaid)).toHaveLength(1);
  });
});

describe("each rupee has its row and its entry", () => {
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
    expect(await moneyOf(seller, unpaid)).toEqual(PAID);
    expect(await taken()).toEqual(["paid 35400 advance 10000"]);
    expect(await added("Customer Advances")).toBe(-100);
    const [capture] = await seller.company.rows("SELECT max(id) AS id FROM gateway_captures");
    expect(await dueOf(seller.company, "capture", String(capture?.id))).toEqual([100]);
    expect((await visit(unpaid.path)).text).toContain(TOO_MUCH);
  });

  test("a void or a record that is taken back leaves the money an advance, and the page asks for nothing", async () => {
    await pay(await opened(seller, unpaid));
    const [payment] = await seller.company.rows("SELECT id FROM payments ORDER BY id DESC LIMIT 1");
    must(await refund(seller.company, String(payment?.id)), 200);
    expect(await taken()).toEqual(["paid 35400 advance 35400"]);
    const { text } = await visit(unpaid.path);
    expect(text).toContain(HELD);
    expect(text).not.toContain(BUTTON);
    must(await voidInvoice(seller.company, unpaid.invoice.id), 200);
    expect(await taken()).toEqual(["paid 35400 advance 35400"]);
  });
});
