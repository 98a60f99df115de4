import { describe, expect, test } from "vitest";
import { must } from "../../../support/company.ts";
import { expectSound } from "../../../support/oracles.ts";
import { newCustomer, rowsOf } from "../../commerce.ts";
import { tally } from "../../money.ts";
import { getOrder, openShop, placeOrder, postCheckout, shopper } from "../shop.ts";

describe("the customer of an order", () => {
  const customers = async (company: Awaited<ReturnType<typeof openShop>>["company"]) =>
    rowsOf(company, "SELECT customer_id FROM sales_orders ORDER BY id");

  test("is matched by e-mail, in any case and spaces aside, before the phone", async () => {
    const { company } = await openShop();
    const byPhone = await newCustomer(company, { email: "other@example.com", phone: "9847012345" });
    const byEmail = await newCustomer(company, { email: "Meera@Example.com" });
    await placeOrder(company, { customer: { ...shopper, email: " MEERA@example.com " } });
    await placeOrder(company, { customer: { ...shopper, email: "new@example.com" } });
    expect(await customers(company)).toEqual([
      { customer_id: Number(byEmail.id) },
      { customer_id: Number(byPhone.id) },
    ]);
  });

  test.each(["9847012345", "09847012345", "+91 98470-12345"])(
    "is matched by the last 9 digits of %s",
    async (phone) => {
      const { company } = await openShop();
      const known = await newCustomer(company, { phone: "+91 98470 12345" });
      await placeOrder(company, { customer: { ...shopper, email: "x@example.com", phone } });
      expect(await customers(company)).toEqual([{ customer_id: Number(known.id) }]);
    },
  );

  test("is not matched by a phone of 8 digits", async () => {
    const { company } = await openShop();
    const known = await newCustomer(company, { phone: "70123456" });
    await placeOrder(company, { customer: { ...shopper, email: "x@example.com", phone: "70123456" } });
    expect(await customers(company)).not.toEqual([{ customer_id: Number(known.id) }]);
  });

  test("is never written to when matched, not even its empty fields, and nothing of it is echoed", async () => {
    const { company } = await openShop();
    const known = await newCustomer(company, { email: shopper.email, name: "Private Ltd" });
    const placed = await postCheckout(company);
    expect(placed.text).not.toContain("Private Ltd");
    const order = await getOrder(company, placed.body.order_id);
    expect(order.customer).toMatchObject(shopper);
    const after = must(await company.call("GET", `/customers/:company/${known.id}`), 200).body.data;
    expect(after).toMatchObject({ phone: null, name: "Private Ltd", updated_at: known.updated_at });
  });

  test("is created with its debtor account when new, without a state or pincode if need be", async () => {
    const { company } = await openShop();
    await placeOrder(company, { customer: { name: "Arun", email: "arun@example.com" } });
    await placeOrder(company, {
      customer: { name: "Uma", email: "uma@example.com", country: "india", state: "KA" },
    });
    expect(
      await rowsOf(company, "SELECT name, state, state_code, pincode, country, created_via FROM customers"),
    ).toEqual([
      { name: "Arun", state: "", state_code: null, pincode: "", country: "IN", created_via: "storefront" },
      {
        name: "Uma",
        state: "Karnataka",
        state_code: "29",
        pincode: "",
        country: "IN",
        created_via: "storefront",
      },
    ]);
    await expectSound(company);
  });

  test("is one, when two checkouts of a new address run in parallel", async () => {
    const { company } = await openShop();
    const answers = await Promise.all(Array.from({ length: 10 }, () => postCheckout(company)));
    expect(tally(answers)).toEqual({ 200: 10 });
    expect(await rowsOf(company, "SELECT count(*) AS n FROM customers")).toEqual([{ n: 1 }]);
    expect(await rowsOf(company, "SELECT count(DISTINCT order_number) AS n FROM sales_orders")).toEqual([
      { n: 10 },
    ]);
    await expectSound(company);
  });

  test("stays while its order awaits payment", async () => {
    const { company } = await openShop();
    await placeOrder(company);
    const answer = await company.call("DELETE", "/customers/:company/1");
    expect(answer).toMatchObject({
      status: 409,
      body: { code: "customer_has_dependents", blocked_by: ["orders"] },
    });
  });
});
