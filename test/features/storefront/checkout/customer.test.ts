import { describe, expect, test } from "vitest";
import { expectSound } from "../../../support/oracles.ts";
import { type CustomerRecord, newCustomer } from "../../commerce.ts";
import { tally } from "../../money.ts";
import { refusal } from "../../refusal.ts";
import { getOrder, openShop, placeOrder, postCheckout, shopper } from "../shop.ts";

describe("the customer of an order", async () => {
  const { company } = await openShop();
  let known: CustomerRecord | undefined;

  /** The customers of the newest orders, the oldest first. */
  const customers = async (count = 1) => {
    const newest = "SELECT id, customer_id FROM sales_orders ORDER BY id DESC LIMIT ?";
    return company.rows(`SELECT customer_id FROM (${newest}) ORDER BY id`, count);
  };

  test("is matched by e-mail, in any case and spaces aside, before the phone", async () => {
    const byPhone = await newCustomer(company, { email: "other@example.com", phone: "9847012345" });
    const byEmail = await newCustomer(company, { email: "Meera@Example.com" });
    await placeOrder(company, { customer: { ...shopper, email: " MEERA@example.com " } });
    await placeOrder(company, { customer: { ...shopper, email: "new@example.com" } });
    expect(await customers(2)).toEqual([
      { customer_id: Number(byEmail.id) },
      { customer_id: Number(byPhone.id) },
    ]);
  });

  test.each(["9847054321", "09847054321", "+91 98470-54321"])(
    "is matched by the last 9 digits of %s",
    async (phone) => {
      known ??= await newCustomer(company, { phone: "+91 98470 54321" });
      await placeOrder(company, { customer: { ...shopper, email: "x@example.com", phone } });
      expect(await customers()).toEqual([{ customer_id: Number(known.id) }]);
    },
  );

  test.each(["98470 11111 / 98470 22222", "call me", "+91 98470 111115", "9999999999", "70123456"])(
    "is not matched by %s, which is no person's whole number, and is taken as it is",
    async (phone) => {
      for (const email of ["one@shop.example", "two@shop.example"])
        await placeOrder(company, { customer: { ...shopper, email: `${phone.length}${email}`, phone } });
      const [one, two] = await customers(2);
      expect(one).not.toEqual(two);
    },
  );

  test.each(["9.19845 E+11", "99999*****"])("is refused with %s, whose digits are lost", async (phone) => {
    const customer = { ...shopper, phone, shipping_address: { phone } };
    const lost = { code: "invalid_phone" };
    expect(await postCheckout(company, { customer })).toMatchObject(
      refusal(422, "validation_failed", {
        errors: [
          { ...lost, field: "customer.phone" },
          { ...lost, field: "customer.shipping_address.phone" },
        ],
      }),
    );
  });

  test("is never written to when matched, not even its empty fields, and nothing of it is echoed", async () => {
    const sent = { ...shopper, email: "private@example.com", phone: "98450 00001" };
    const known = await newCustomer(company, { email: sent.email, name: "Private Ltd" });
    const placed = await postCheckout(company, { customer: sent });
    expect(placed.text).not.toContain("Private Ltd");
    const order = await getOrder(company, placed.body.order_id);
    expect(await customers()).toEqual([{ customer_id: Number(known.id) }]);
    expect(order.customer).toMatchObject(sent);
    const after = await company.read(`/customers/:company/${known.id}`);
    expect(after).toMatchObject({ phone: null, name: "Private Ltd", updated_at: known.updated_at });
  });

  test("is created with its debtor account when new, without a state or pincode if need be", async () => {
    await placeOrder(company, { customer: { name: "Arun", email: "arun@example.com" } });
    await placeOrder(company, {
      customer: { name: "Uma", email: "uma@example.com", country: "india", state: "KA" },
    });
    expect(
      await company.rows(
        "SELECT name, state, state_code, pincode, country, created_via FROM customers WHERE name IN ('Arun', 'Uma')",
      ),
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
    const customer = { ...shopper, email: "ten@example.com", phone: null };
    const answers = await Promise.all(Array.from({ length: 10 }, () => postCheckout(company, { customer })));
    expect(tally(answers)).toEqual({ 200: 10 });
    expect(await company.rows("SELECT count(*) AS n FROM customers WHERE email = ?", customer.email)).toEqual(
      [{ n: 1 }],
    );
    const orders =
      "SELECT count(DISTINCT order_number) AS n FROM sales_orders WHERE id IN (SELECT value FROM json_each(?))";
    expect(await company.rows(orders, JSON.stringify(answers.map(({ body }) => body.order_id)))).toEqual([
      { n: 10 },
    ]);
    await expectSound(company);
  });

  test("stays while its order awaits payment", async () => {
    await placeOrder(company, { customer: { ...shopper, email: "waits@example.com", phone: null } });
    const [order] = await customers();
    const answer = await company.call("DELETE", `/customers/:company/${order?.customer_id}`);
    expect(answer).toMatchObject(refusal(409, "customer_has_dependents", { blocked_by: ["orders"] }));
  });
});
