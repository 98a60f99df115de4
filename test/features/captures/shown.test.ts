import { expect, test } from "vitest";
import { must } from "../../support/company.ts";
import { play } from "../../support/gateways.ts";
import { newUnpaid, opened, openSeller } from "../payments/online/unpaid.ts";
import { PRICE, soldLesson } from "../refunds/sold-lesson.ts";
import { gatewayOrderOf, placeOrder } from "../storefront/shop.ts";

type Shown = { captures?: { id: string; state: string; amount: number }[] };

const seller = await openSeller();

/** What a read shows of captures. */
async function shownBy(path: string): Promise<Shown["captures"]> {
  return (await seller.company.read<Shown>(path)).captures;
}

test("an order and its invoice show what gateways took, and its customer all of it", async () => {
  const placed = await placeOrder(seller.company);
  expect(await shownBy(`/orders/:company/${placed.order_id}`)).toEqual([]);
  await play(seller.company, "razorpay", gatewayOrderOf(placed), "twice");
  const [order] = await seller.company.rows("SELECT invoice_id, customer_id FROM sales_orders");
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
  expect(await seller.company.read<{ paid_for: string; paid_for_id: string }[]>(query)).toMatchObject([
    { paid_for: "invoice", paid_for_id: unpaid.invoice.id },
  ]);
});

test("lists and events leave the captures out, and the newest twenty are shown", async () => {
  const { company, customerId } = seller;
  await company.rows(
    `INSERT INTO gateway_captures (gateway, gateway_payment_id, gateway_account_id, customer_id, outcome, amount, currency, received_at)
      WITH RECURSIVE n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 30)
      SELECT 'stripe', 'pi_' || value, (SELECT id FROM gateway_accounts), ?, 'unknown_intent', 0, 'INR', 1 FROM n`,
    customerId,
  );
  const ids = (await shownBy(`/customers/:company/${customerId}`))?.map(({ id }) => Number(id)) ?? [];
  expect(ids).toEqual(Array.from({ length: 20 }, (_, index) => (ids[0] ?? 0) - index));
  const [first] = await company.read<Shown[]>("/customers/:company");
  expect(first).not.toHaveProperty("captures");
});

test("a booking shows what gateways took for it, and names its invoice until that is voided", async () => {
  const { company, invoiceId, read } = await soldLesson();
  type Invoice = { invoice_number: string };
  const { invoice_number } = await company.read<Invoice>(`/invoices/:company/${invoiceId}`);
  const captures = [{ amount: PRICE, state: "invoiced" }];
  expect(await read()).toMatchObject({ captures, invoice_id: invoiceId, invoice_number });
  must(await company.call("POST", `/invoices/:company/${invoiceId}/void`), 200);
  expect(await read()).toMatchObject({ invoice_id: null, invoice_number: null });
});
