import { describe, expect, test } from "vitest";
import { type Key, must, openCompany, type TestCompany } from "../../support/company.ts";
import { newAddress, received } from "../messaging/provider.ts";
import { settledLines } from "../notifications/notified.ts";
import { razorpay } from "../storefront/shop.ts";

// The events of a gateway mark orders as paid, and an unpaid invoice shows the UPI id as where to pay.
const GATEWAYS = "/settings/:company/payment-gateways";
const PROFILE = "/settings/:company/profile";
const refused = { status: 403, body: { code: "insufficient_scope", required_scope: "payments:write" } };

async function connected(company: TestCompany): Promise<string> {
  const { id } = await company.make<{ id: string }>(GATEWAYS, razorpay);
  return `${GATEWAYS}/${id}`;
}

describe("where money goes is changed by a key that writes payments", async () => {
  const company = await openCompany();
  const [weak, strong] = await keysOf(company);

  test("a gateway is connected by it", async () => {
    expect(await company.call("POST", GATEWAYS, { key: weak, body: razorpay })).toMatchObject(refused);
    must(await company.call("POST", GATEWAYS, { key: strong, body: razorpay }), 201);
  });

  test.each<[string, string, object | undefined]>([
    ["its credentials", "PATCH", { credentials: { key_id: "rzp_test_x", key_secret: "another" } }],
    ["the secret of its events", "PATCH", { webhook_secret: "known-to-me" }],
    ["whether it is active", "PATCH", { is_active: false }],
    ["whether it is a test account", "PATCH", { mode: "live" }],
    ["its place before others", "PATCH", { priority: 0 }],
    ["its currencies", "PATCH", { currencies: ["INR"] }],
    ["that it is there", "DELETE", undefined],
  ])("of a gateway %s", async (_what, method, body) => {
    const path = await connected(company);
    expect(await company.call(method, path, { key: weak, body })).toMatchObject(refused);
    must(await company.call(method, path, { key: strong, body }), 200);
  });

  test("the UPI id of the profile", async () => {
    const patch = (key: Key, body: object) => company.call("PATCH", PROFILE, { key, body });
    expect(await patch(weak, { upi_id: "mine@bank" })).toMatchObject(refused);
    expect(await patch(weak, { upi_id: null, name: "Asha" })).toMatchObject(refused);
    must(await patch(weak, { name: "Asha" }), 200);
    must(await patch(strong, { upi_id: "asha@bank" }), 200);
    // A bank's name is free text: it could name an account.
    expect(await patch(weak, { bank_name: "Pay to account 9" })).toMatchObject(refused);
  });
});

describe("the company's address gets a notice", () => {
  test("of the first gateway, of each change of it and of its end, its secrets by their last four", async () => {
    const office = newAddress();
    const company = await openCompany({ email: office });
    const path = await connected(company);
    await company.change(path, { priority: 0 });
    await company.change(path, { is_active: false });
    must(await company.call("DELETE", path), 200);
    await settledLines(company);
    const mails = () => received(office).then((all) => JSON.stringify(all));
    await expect.poll(mails).toContain("kind: razorpay → –");
    expect(await mails()).toContain("priority: 100 → 0");
    expect(await mails()).toContain("is active: 1 → 0");
    expect(await mails()).toMatch(/last four: – → key id …\w{4}, key secret …5678/);
    expect(await mails()).not.toContain("demo-key-secret");
  });

  test("of a new key, and of other mails' texts; those about money ask for payments:write", async () => {
    const office = newAddress();
    const company = await openCompany({ email: office });
    const key = await company.key("settings:write");
    const text = (rule: string) => `/settings/:company/notification-templates/${rule}/email/en`;
    const body = { subject: "Paid", html: "<p>Pay to thief@upi</p>" };
    expect(await company.call("PUT", text("payment_receipt"), { key, body })).toMatchObject(refused);
    must(await company.call("PUT", text("lead_acknowledged"), { key, body }), 200);
    await settledLines(company);
    const mails = () => received(office).then((all) => JSON.stringify(all));
    await expect.poll(mails).toContain("Pay to thief@upi");
    expect(await mails()).toContain("settings:write");
  });
});

const keysOf = (company: TestCompany) =>
  Promise.all([company.key("settings:write"), company.key("settings:write", "payments:write")]);
