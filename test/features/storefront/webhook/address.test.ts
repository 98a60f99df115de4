import { expect, test } from "vitest";
import { must } from "../../../support/company.ts";
import { announce, send } from "../../../support/http.ts";
import { expectSound } from "../../../support/oracles.ts";
import { rowsOf } from "../../commerce.ts";
import { deliver, openShop, razorpayEvent } from "../shop.ts";
import { events, invoices, shopWithOrder } from "./webhook.ts";

test("a webhook of an unknown company, an unknown kind or a gateway that is not connected is 404", async () => {
  const { company, connected } = await openShop();
  const post = (path: string) => send("POST", path, { body: {} });
  expect((await post("/v1/storefront/nobody/webhook/razorpay")).status).toBe(404);
  expect((await post("/v1/storefront/no%2Fbody/webhook/razorpay")).status).toBe(404);
  expect((await post(`/v1/storefront/${company.slug}/webhook/bitcoin`)).status).toBe(404);
  expect((await post(`/v1/storefront/${company.slug}/webhook/stripe`)).status).toBe(404);
  const path = `/settings/:company/payment-gateways/${connected.id}`;
  must(await company.call("PATCH", path, { body: { is_active: false } }), 200);
  expect((await post(`/v1/storefront/${company.slug}/webhook/razorpay`)).status).toBe(404);
});

test("an event works under both base addresses, and one of 1 MiB and a byte is 413", async () => {
  const { company, connected, placed } = await shopWithOrder();
  const path = `/v1/storefront/${company.slug}/webhook/razorpay`;
  expect((await announce(1024 * 1024 + 1, path)).status).toBe(413);
  expect((await deliver(company, connected, razorpayEvent(placed), { base: "/v1" })).status).toBe(200);
  expect(await invoices(company)).toBe(1);
});

test("a payment with a fee that cannot be is taken without one", async () => {
  const { company, connected, placed } = await shopWithOrder();
  must(await deliver(company, connected, razorpayEvent(placed, { payment: { fee: -1 } })), 200);
  expect(await rowsOf(company, "SELECT amount > 0 AS is_taken, fee FROM gateway_captures")).toEqual([
    { is_taken: 1, fee: null },
  ]);
  await expectSound(company);
});

test("what is signed but no JSON or no UTF-8, or none of our business, is 200, noted and left", async () => {
  const { company, connected } = await openShop();
  const texts = ["", "not json", "[]", "null", '"text"', '{"event":5}', '{"event":"refund.created"}'];
  for (const body of [
    ...texts,
    Uint8Array.from([0x7b, 0x22, 0xff, 0xfe, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d]),
  ])
    expect((await deliver(company, connected, body)).status, String(body)).toBe(200);
  expect(await events(company)).toHaveLength(texts.length + 1);
  expect(new Set((await events(company)).map(({ outcome }) => outcome))).toEqual(new Set(["ignored"]));
  await expectSound(company);
});
