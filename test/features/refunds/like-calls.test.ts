import { afterAll, expect, test } from "vitest";
import { must } from "../../support/company.ts";
import { gatewayFaults } from "../../support/gateways.ts";
import { expectSound } from "../../support/oracles.ts";
import { rowsOf } from "../commerce.ts";
import { openShop } from "../storefront/shop.ts";
import { ledgerOf, newRefund, notesOf, paidOrder, postRefund } from "./refunds.ts";

const shop = await openShop();
afterAll(async () => {
  await expectSound(shop.company);
});

const cancellation = { reason: "cancellation" };

test("of two like calls at once one sends what came twice, and the other leaves the sale", async () => {
  const { company, connected } = shop;
  const { orderId, paymentId } = await paidOrder(shop);
  const target = { ...cancellation, order_id: String(orderId) };
  // The gateway answers after the second call has read what is due.
  await gatewayFaults(company, connected, { slow_call: 1 });
  const first = postRefund(company, target);
  const isSending = "SELECT count(*) AS n FROM gateway_refunds WHERE status = 'created'";
  await expect.poll(async () => (await rowsOf(company, isSending))[0]?.n).toBe(1);
  const second = { status: 409, body: { code: "refund_in_progress" } };
  for (const fields of [{}, { amount: 100 }])
    expect(await postRefund(company, { ...target, ...fields })).toMatchObject(second);
  expect(must(await first, 201).body.data).toMatchObject({ amount: 100, credit_note_id: null });
  await gatewayFaults(company, connected, {});
  expect(await notesOf(shop, orderId)).toEqual([]);
  expect((await ledgerOf(shop)).filter(({ payment_id: id }) => id === paymentId)).toHaveLength(1);
  // Once it is known that what was due is back, the sale goes back on purpose.
  expect(await newRefund(company, target)).toMatchObject({ amount: 100 });
  expect(await notesOf(shop, orderId)).toHaveLength(1);
});

test("twenty like calls at once give back what came twice, and credit no sale", async () => {
  const { company, connected } = shop;
  const { orderId } = await paidOrder(shop);
  await gatewayFaults(company, connected, { slow_call: 1 });
  const target = { ...cancellation, order_id: String(orderId) };
  const answers = await Promise.all(Array.from({ length: 20 }, () => postRefund(company, target)));
  await gatewayFaults(company, connected, {});
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(await notesOf(shop, orderId)).toEqual([]);
});
