import { describe, expect, test } from "vitest";
import { must, openCompany, type TestCompany } from "../../../support/company.ts";
import { connectGateway, play } from "../../../support/gateways.ts";
import { refusedFields, setClock } from "../../commerce.ts";
import { gatewayOrderOf, openShop, type Placed, placeOrder, productLine, shopper } from "../shop.ts";
import { free, type Listed, pay } from "./review.ts";

const list = (company: TestCompany, query = "") => company.call<Listed[]>("GET", `/orders/:company?${query}`);
async function numbers(company: TestCompany, query = ""): Promise<number[]> {
  return must(await list(company, query), 200).body.data.map(({ order_id }) => order_id);
}

describe("the list of orders, with one order in each state", async () => {
  const shop = await openShop();
  const { company } = shop;
  const ids: Record<string, number> = {};

  await setClock(company, "2026-11-21T06:00:00Z");
  const placed: Record<string, Placed> = {};
  const place = async (name: string, fields: Record<string, unknown> = {}) => {
    placed[name] = await placeOrder(company, fields);
    ids[name] = placed[name].order_id;
    return placed[name];
  };
  const item = await productLine(company, { track_stock: true, opening_stock: 1 });
  await place("unpaid");
  await pay(
    shop,
    await place("paid", {
      customer: { ...shopper, name: "Anil 100%", email: "anil@example.org", phone: null },
    }),
  );
  await pay(shop, await place("mismatch"), { amount: 9_000 });
  await pay(shop, await place("implausible", { items: [free(100)], tax_amount: 45 }));
  await play(company, "razorpay", gatewayOrderOf(await place("twice")), "twice");
  const sold = [await place("first", { items: [item] }), await place("oversold", { items: [item] })];
  for (const one of sold) await pay(shop, one);
  await place("cancelled");
  const body = { action: "cancel" };
  must(await company.call("POST", `/orders/:company/${ids.cancelled}/resolve`, { body }), 200);

  const named = (...names: string[]) => names.map((name) => ids[name]);

  test("is newest first", async () => {
    expect(await numbers(company)).toEqual(
      named("cancelled", "oversold", "first", "twice", "implausible", "mismatch", "paid", "unpaid"),
    );
  });

  test.each([
    ["status=draft", ["implausible", "mismatch", "unpaid"]],
    ["status=invoiced", ["oversold", "first", "twice", "paid"]],
    ["status=cancelled", ["cancelled"]],
    ["payment_status=review", ["implausible", "mismatch"]],
    ["payment_status=unpaid", ["cancelled", "unpaid"]],
    ["needs_review=true", ["oversold", "implausible", "mismatch"]],
    ["needs_review=false", ["cancelled", "first", "twice", "paid", "unpaid"]],
    ["needs_refund=true", ["twice"]],
    ["review_code=amount_mismatch", ["mismatch"]],
    ["review_code=tax_amount_implausible", ["implausible"]],
    ["review_code=oversold", ["oversold"]],
    ["status=draft&needs_review=true&review_code=amount_mismatch", ["mismatch"]],
    ["customer_id=2", ["paid"]],
    ["q=ANIL", ["paid"]],
    ["q=0%25", ["paid"]],
    ["q=%25", ["paid"]],
    ["q=anil@example.org", ["paid"]],
    ["q=meera&status=cancelled", ["cancelled"]],
    ["q=/00003", ["mismatch"]],
    ["q=nobody", []],
    ["created_to=2026-11-20", []],
    ["created_from=2026-11-22", []],
    ["created_from=2026-11-21&created_to=2026-11-21&status=cancelled", ["cancelled"]],
  ])("by %s", async (query, names) => {
    expect(await numbers(company, query)).toEqual(named(...names));
  });

  test("by the reference that the gateway has of its payment", async () => {
    const sql = "SELECT operation FROM sales_orders WHERE order_number LIKE '%/00003'";
    const reference = String((await company.rows(sql))[0]?.operation);
    expect(await numbers(company, `q=${reference}`)).toEqual(named("mismatch"));
    expect(await numbers(company, `q=${reference}&status=cancelled`)).toEqual([]);
    expect(await numbers(company, `q=${reference.slice(0, -1)}`)).toEqual([]);
  });

  test.each([
    ["status=open", "status"],
    ["payment_status=refunded", "payment_status"],
    ["needs_review=maybe", "needs_review"],
    ["review_code=odd", "review_code"],
    ["customer_id=x", "customer_id"],
    ["created_from=2026-02-30", "created_from"],
    ["created_from=2026-11-22&created_to=2026-11-21", "created_to"],
    ["q=", "q"],
    [`q=${"a".repeat(101)}`, "q"],
  ])("refuses %s", async (query, field) => {
    const answer = await list(company, query);
    expect(answer.status).toBe(422);
    expect(Object.keys(refusedFields(answer))).toEqual([field]);
  });

  test("has the record of the order's status and what a company has to know beside it", async () => {
    const path = `/orders/:company/${ids.twice}`;
    const order = must(await company.call<Listed>("GET", path), 200).body.data;
    const [listed] = must(await list(company, "needs_refund=true"), 200).body.data;
    expect({ ...listed, captures: order.captures }).toEqual(order);
    const told = must(await company.call("GET", `/storefront/:company/order/${ids.twice}`), 200).body.data;
    expect(order).toMatchObject(told as object);
    expect(order).toMatchObject({
      id: String(ids.twice),
      customer_id: "1",
      needs_review: false,
      review_code: null,
      reviewed_at: null,
      oversold: false,
      overcaptured_amount: 0,
      outside_reference: null,
      needs_refund: true,
      updated_at: expect.any(String),
      payments: [{ status: "paid", amount: 100, other_payment_ids: [expect.stringMatching(/^pay_/)] }],
    });
    const oversold = await company.read<Listed>(`/orders/:company/${ids.oversold}`);
    expect(oversold).toMatchObject({ payment_status: "paid", needs_review: true, oversold: true });
  });
});

test("days are those of the company's time zone, both inclusive, on a day of a clock change too", async () => {
  const company = await openCompany({ country: "GB", timezone: "Europe/London", currency: "GBP" });
  await connectGateway(company, "stripe", { currencies: ["GBP"] });
  const place = async (instant: string) => {
    const { order_id } = await placeOrder(company, { currency: "GBP" });
    await company.rows("UPDATE sales_orders SET created_at = ? WHERE id = ?", Date.parse(instant), order_id);
    return order_id;
  };
  // 29 March 2026 begins at 00:00 UTC and ends, an hour short, at 23:00 UTC.
  await place("2026-03-28T23:59:59.999Z");
  const first = await place("2026-03-29T00:00:00.000Z");
  const last = await place("2026-03-29T22:59:59.999Z");
  await place("2026-03-29T23:00:00.000Z");
  expect(await numbers(company, "created_from=2026-03-29&created_to=2026-03-29")).toEqual([last, first]);
});
