import { expect, test } from "vitest";
import { must } from "../../support/company.ts";
import { play } from "../../support/gateways.ts";
import { expectSound } from "../../support/oracles.ts";
import { AT, openWithGateway, orderOf, pay } from "../bookings/bookings/gateway-school.ts";
import { rowsOf } from "../commerce.ts";
import { newUnpaid, opened, openSeller } from "../payments/online/unpaid.ts";
import { soldLesson } from "../refunds/sold-lesson.ts";
import { refusal } from "../refusal.ts";
import { newBooking, readBooking } from "../school.ts";
import { gatewayOrderOf, placeOrder } from "../storefront/shop.ts";
import { balancesOf, capturesOf } from "./captures.ts";

type Shown = { captures?: { id: string; state: string; amount: number }[] };

const seller = await openSeller();

/** What a read shows of captures. */
async function shownBy(path: string, { company } = seller): Promise<Shown["captures"]> {
  return must(await company.call<Shown>("GET", path), 200).body.data.captures;
}

test("an order and its invoice show what gateways took, and its customer all of it", async () => {
  const placed = await placeOrder(seller.company);
  expect(await shownBy(`/orders/:company/${placed.order_id}`)).toEqual([]);
  await play(seller.company, "razorpay", gatewayOrderOf(placed), "twice");
  const [order] = await rowsOf(seller.company, "SELECT invoice_id, customer_id FROM sales_orders");
  const paid = {
    id: "1",
    amount: 100,
    advance_amount: 0,
    currency: "INR",
    fee: 2,
    method: "upi",
    state: "invoiced",
  };
  const second = { ...paid, id: "2", advance_amount: 100, state: "advance" };
  expect(await shownBy(`/orders/:company/${placed.order_id}`)).toEqual([second, paid]);
  expect(await shownBy(`/invoices/:company/${order?.invoice_id}`)).toEqual([paid]);
  expect(await shownBy(`/customers/:company/${order?.customer_id}`)).toEqual([second, paid]);
});

test("an invoice shows what came for it, also what it was not paid with", async () => {
  const unpaid = await newUnpaid(seller);
  expect(await shownBy(`/invoices/:company/${unpaid.invoice.id}`)).toEqual([]);
  await play(seller.company, "razorpay", await opened(seller, unpaid), "wrong_amount");
  expect(await shownBy(`/invoices/:company/${unpaid.invoice.id}`)).toMatchObject([
    { amount: 353.99, state: "advance" },
  ]);
  const query = `/ledger/:company/captures?invoice_id=${unpaid.invoice.id}`;
  const listed = await seller.company.call<{ paid_for: string; paid_for_id: string }[]>("GET", query);
  expect(must(listed, 200).body.data).toMatchObject([
    { paid_for: "invoice", paid_for_id: unpaid.invoice.id },
  ]);
});

test("a booking shows what gateways took for it", async () => {
  const { school } = await openWithGateway();
  const booking = await newBooking(school, AT);
  await play(school.company, "razorpay", orderOf(await pay(school, booking.id)), "paid");
  expect(
    await shownBy(`/settings/:company/bookings/${booking.id}`, { ...seller, company: school.company }),
  ).toMatchObject([{ amount: booking.total_amount, state: "invoiced" }]);
});

test("lists and events leave the captures out, and the newest twenty are shown", async () => {
  const { company, customerId } = seller;
  await rowsOf(
    company,
    `INSERT INTO gateway_captures (gateway, gateway_payment_id, gateway_account_id, customer_id, outcome, amount, currency, received_at)
      WITH RECURSIVE n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 30)
      SELECT 'stripe', 'pi_' || value, (SELECT id FROM gateway_accounts), ?, 'unknown_intent', 0, 'INR', 1 FROM n`,
    [customerId],
  );
  const ids = (await shownBy(`/customers/:company/${customerId}`))?.map(({ id }) => Number(id)) ?? [];
  expect(ids).toEqual(Array.from({ length: 20 }, (_, index) => (ids[0] ?? 0) - index));
  const [first] = must(await company.call<Shown[]>("GET", "/customers/:company"), 200).body.data;
  expect(first).not.toHaveProperty("captures");
});

test("the trial balance shows what came for a booking: another amount, and a second payment", async () => {
  const { school } = await openWithGateway();
  const { company } = school;
  const first = await newBooking(school, AT);
  const price = first.total_amount;
  await play(company, "razorpay", orderOf(await pay(school, first.id)), "wrong_amount");
  const other = price - 0.01;
  expect(await capturesOf(company)).toEqual([`mismatch ${price * 100 - 1} advance ${price * 100 - 1}`]);
  expect(await balancesOf(company)).toEqual({ "Razorpay Clearing": other, "Customer Advances": -other });
  expect(await readBooking(company, first.id)).toMatchObject({ payment_status: "unpaid" });

  const second = await newBooking(school, { ...AT, start_time: "14:00" });
  await play(company, "razorpay", orderOf(await pay(school, second.id)), "twice");
  expect((await capturesOf(company)).slice(1)).toEqual([
    `paid ${price * 100} invoiced 0`,
    `duplicate_payment ${price * 100} advance ${price * 100}`,
  ]);
  const shown = await balancesOf(company);
  expect(shown).toMatchObject({ "Customer Advances": -(price + other) });
  expect(shown["Razorpay Clearing"]).toBe(2 * price + other);
  await expectSound(company);

  // Each of the two is settled by hand, and only what the booking was sold for is left.
  for (const id of ["1", "3"]) {
    const body = { outside_reference: `rfnd_${id}` };
    must(await company.call("POST", `/ledger/:company/captures/${id}/settle`, { body }), 200);
  }
  const held = { body: { outside_reference: "rfnd_2" } };
  expect(await company.call("POST", "/ledger/:company/captures/2/settle", held)).toMatchObject(
    refusal(409, "invalid_status"),
  );
  const after = await balancesOf(company);
  expect(after["Razorpay Clearing"]).toBe(price);
  expect(after).not.toHaveProperty("Customer Advances");
  await expectSound(company);
});

test("a booking names its invoice until that is voided", async () => {
  const { company, invoiceId, read } = await soldLesson();
  type Invoice = { invoice_number: string };
  const { invoice_number } = must(await company.call<Invoice>("GET", `/invoices/:company/${invoiceId}`), 200)
    .body.data;
  expect(await read()).toMatchObject({ invoice_id: invoiceId, invoice_number });
  must(await company.call("POST", `/invoices/:company/${invoiceId}/void`), 200);
  expect(await read()).toMatchObject({ invoice_id: null, invoice_number: null });
});
