import { describe, expect, test } from "vitest";
import { must, openCompany, type TestCompany } from "../../support/company.ts";
import { connectGateway, play } from "../../support/gateways.ts";
import { expectSound } from "../../support/oracles.ts";
import { check, sentences, tamper } from "../../tenancy/companies/self-check.ts";
import { balancesOf } from "../captures/captures.ts";
import { getInvoice, refusedFields, setClock } from "../commerce.ts";
import { entryLines, newProduct, refund } from "../money.ts";
import { newRefund, paidOrder, taxedOrder } from "../refunds/refunds.ts";
import { refusal } from "../refusal.ts";
import {
  deliver,
  gatewayOrderOf,
  getOrder,
  openShop,
  placeOrder,
  razorpayEvent,
} from "../storefront/shop.ts";
import { allPosted, unposted } from "./posted.ts";

type Rate = { id: string; rate: number };
const DOLLARS = { currencies: ["INR", "USD"] };

const postRate = (company: TestCompany, rate_date: string, rate: number, fields: object = {}) =>
  company.call<Rate>("POST", "/settings/:company/exchange-rates", {
    body: { currency: "USD", rate_date, rate, ...fields },
  });

async function openDollarShop() {
  const shop = await openShop("razorpay", DOLLARS);
  await setClock(shop.company, "2026-06-20T06:00:00Z");
  return shop;
}

async function invoiceOf(company: TestCompany, orderId: number) {
  return getInvoice(company, String((await getOrder(company, orderId)).invoice_id));
}

describe("an order in dollars", async () => {
  const shop = await openDollarShop();
  const { company } = shop;
  const orderId = await taxedOrder(shop, "USD");

  test("waits for a rate that is at most 16 days old", async () => {
    must(await postRate(company, "2026-06-03", 80), 201);
    must(await company.call("POST", "/ledger/:company/post-missing"), 200);
    expect(await unposted(company)).toEqual(["payment no_exchange_rate", "invoice no_exchange_rate"]);
    expect(await invoiceOf(company, orderId)).toMatchObject({ exchange_rate: null, inr: null });
    must(await postRate(company, "2026-06-04", 83.123457, { source: "Customs 41/2026" }), 201);
    await allPosted(company);
    const invoice = await invoiceOf(company, orderId);
    // 600.00, 400.00, and 54.00 and 36.00 of each head, rounded one by one.
    const inr = { taxable_total: 83_123.45, cgst_total: 7_481.11, sgst_total: 7_481.11, igst_total: 0 };
    expect(invoice).toMatchObject({
      ...{ currency: "USD", total_amount: 1180, exchange_rate: 83.123457 },
      inr: { ...inr, round_off: 0, total_amount: 98_085.67 },
    });
    expect(await entryLines(company, invoice.journal_entry_id)).toEqual([
      "Sundry Debtors / Meera Nair Dr 98085.67 Cr 0",
      "Sales Dr 0 Cr 83123.45",
      "Output CGST Dr 0 Cr 7481.11",
      "Output SGST Dr 0 Cr 7481.11",
    ]);
    // The payment settles the customer's account: what was rounded is the exchange's.
    expect(await balancesOf(company)).toEqual({
      "Razorpay Clearing": 98_085.68,
      Sales: -83_123.45,
      "Output CGST": -7_481.11,
      "Output SGST": -7_481.11,
      "Exchange Gain or Loss": -0.01,
    });
    await expectSound(company);
  });

  test("goes back in parts at its own rate, until nothing is left", async () => {
    must(await postRate(company, "2026-06-20", 90), 201);
    for (const amount of [333.33, 846.67]) {
      await newRefund(company, { order_id: orderId, amount, reason: "deficiency" });
      await allPosted(company);
      expect(await balancesOf(company)).not.toHaveProperty("Sundry Debtors");
      await expectSound(company);
    }
    expect(await balancesOf(company)).toEqual({});
    expect(await invoiceOf(company, orderId)).toMatchObject({ exchange_rate: 83.123457 });
  });

  test("keeps its rate, which neither changes nor goes; another does", async () => {
    const [late, used, early] = await company.read<Rate[]>("/settings/:company/exchange-rates?currency=USD");
    const at = (rate: Rate | undefined) => `/settings/:company/exchange-rates/${rate?.id}`;
    const change = (rate: Rate | undefined) => company.call("PATCH", at(rate), { body: { rate: 84 } });
    expect(used).toMatchObject({ rate: 83.123457, source: "Customs 41/2026" });
    expect(await change(used)).toMatchObject(refusal(409, "in_use"));
    expect(await company.call("DELETE", at(used))).toMatchObject(refusal(409, "in_use"));
    expect(must(await change(early), 200).body.data).toMatchObject({ rate: 84, rate_date: "2026-06-03" });
    must(await company.call("DELETE", at(late)), 200);
    expect(await postRate(company, "2026-06-03", 1)).toMatchObject(refusal(409, "conflict"));
    const inBooks = await postRate(company, "2026-06-03", 1, { currency: "INR" });
    expect(inBooks).toMatchObject(refusal(422, "currency_not_supported"));
    expect(refusedFields(inBooks)).toEqual({ currency: "currency_not_supported" });
    expect(await postRate(company, "2026-06-05", 1_000_000)).toMatchObject({ status: 422 });
    expect(await company.read("/settings/:company/exchange-rates?from=2026-06-04")).toHaveLength(1);
  });

  test("is named by the self-check where it is posted at another rate", async () => {
    await tamper(company, [
      "UPDATE exchange_rates SET rate = rate + 100000, rate_date = '2026-06-21' WHERE rate = 83123457",
    ]);
    expect(sentences(await check(company))).toEqual([
      "a line in another currency is its amount at its rate, but for what was rounded",
      "an invoice in another currency has a rate of its day, at most 16 days old, and what its lines are at it",
    ]);
  });
});

test("an advance has the rate of its own day, and the difference is the exchange's when it pays an invoice", async () => {
  const shop = await openDollarShop();
  const { company } = shop;
  must(await postRate(company, "2026-06-20", 80), 201);
  const placed = await placeOrder(company, { currency: "USD" });
  await play(company, "razorpay", gatewayOrderOf(placed), "paid");
  await allPosted(company);
  await setClock(company, "2026-06-25T06:00:00Z");
  must(await postRate(company, "2026-06-25", 85), 201);
  must(await deliver(company, shop.connected, razorpayEvent(placed)), 200);
  await allPosted(company);
  const [clearing, sales] = ["Razorpay Clearing", { Sales: -8_000 }];
  expect(await balancesOf(company)).toEqual({ [clearing]: 16_500, "Customer Advances": -8_500, ...sales });
  // The first payment is taken back: its money is an advance at its old rate, and the second one pays.
  const [payment] = await company.rows("SELECT id, invoice_id FROM payments");
  must(await refund(company, String(payment?.id)), 200);
  const [first, second] = await company.rows("SELECT id FROM gateway_captures ORDER BY id");
  const body = { invoice_id: String(payment?.invoice_id) };
  must(await company.call("POST", `/ledger/:company/captures/${second?.id}/settle`, { body }), 200);
  await allPosted(company);
  const gained = { ...sales, "Exchange Gain or Loss": -500 };
  expect(await balancesOf(company)).toEqual({ [clearing]: 16_500, "Customer Advances": -8_000, ...gained });
  await newRefund(company, { capture_id: String(first?.id) });
  await allPosted(company);
  expect(await balancesOf(company)).toEqual({ [clearing]: 8_500, ...gained });
  await expectSound(company);
});

test("money of a duplicate payment goes back, and a company in Sydney posts a sale in dollars at a rate too", async () => {
  const company = await openCompany({ country: "AU", currency: "AUD", timezone: "Australia/Sydney" });
  const connected = await connectGateway(company, "razorpay", { currencies: ["AUD", "USD"] });
  await setClock(company, "2026-06-20T06:00:00Z");
  await newProduct(company);
  const { captureId, orderId } = await paidOrder({ company, connected }, "twice", "USD");
  expect(await unposted(company)).toEqual([
    "advance other_currency",
    "payment other_currency",
    "invoice other_currency",
  ]);
  must(await postRate(company, "2026-06-19", 1.5, { source: null }), 201);
  await allPosted(company);
  expect(await invoiceOf(company, orderId)).toMatchObject({ exchange_rate: 1.5, inr: null });
  await newRefund(company, { capture_id: captureId });
  await allPosted(company);
  expect(await balancesOf(company)).toEqual({ "Razorpay Clearing": 150, Sales: -150 });
  await expectSound(company);
  expect(await check(company)).toMatchObject({ sound: true, open: [] });
});
