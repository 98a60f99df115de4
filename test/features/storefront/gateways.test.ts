import { expect, test } from "vitest";
import { must, openCompany, type TestCompany } from "../../support/company.ts";
import { expectRefused, refusal } from "../refusal.ts";
import { openShop, placeOrder, razorpay } from "./shop.ts";

const PATH = "/settings/:company/payment-gateways";

const post = (company: TestCompany, fields: Record<string, unknown>) =>
  company.call<{ id: string }>("POST", PATH, { body: { ...razorpay, ...fields } });

const company = await openCompany();

test("secrets are encrypted, shown by their last four characters, and never again", async () => {
  const made = must(await post(company, {}), 201);
  expect(made.body.data).toMatchObject({
    kind: "razorpay",
    priority: 100,
    is_active: true,
    currencies: ["INR", "USD", "EUR", "GBP", "AUD", "CAD", "SGD", "MYR"],
    credentials: {
      key_id: { configured: true, last_four: "1234" },
      key_secret: { configured: true, last_four: "5678" },
    },
    webhook_secret: { configured: true, last_four: "9012" },
    webhook_url: `${company.url}/api/v1/storefront/${company.slug}/webhook/razorpay`,
  });
  const rows = JSON.stringify(await company.rows("SELECT * FROM gateway_accounts"));
  const read = must(await company.call("GET", `${PATH}/${made.body.data.id}`), 200);
  for (const secret of [razorpay.credentials.key_secret, razorpay.webhook_secret]) {
    expect(rows).not.toContain(secret);
    expect(made.text + read.text).not.toContain(secret);
  }
});

test.each([
  ["no credentials", { credentials: {} }, { "credentials.key_id": "required" }],
  ["half of the credentials", { credentials: { key_id: "x" } }, { "credentials.key_secret": "required" }],
  [
    "another kind's credentials",
    { credentials: { client_id: "x", client_secret: "y" } },
    { "credentials.key_id": "required" },
  ],
  ["no webhook secret", { webhook_secret: undefined }, { webhook_secret: "required" }],
  ["a secret with a space", { webhook_secret: "a b" }, { webhook_secret: "invalid_format" }],
  ["an unknown kind", { kind: "bitcoin" }, { kind: "invalid_value" }],
  ["an unknown currency", { currencies: ["JPY"] }, { "currencies[0]": "invalid_value" }],
  ["a currency twice", { currencies: ["INR", "INR"] }, { currencies: "not_unique" }],
  ["no currency", { currencies: [] }, { currencies: "too_small" }],
  [
    "rupees through paypal",
    {
      kind: "paypal",
      credentials: { client_id: "a", client_secret: "b", webhook_id: "c" },
      currencies: ["USD", "INR"],
    },
    { "currencies[1]": "currency_not_supported" },
  ],
])("a gateway with %s is 422 and names its field", async (_what, fields, refused) => {
  const answer = await post(company, fields);
  expectRefused(answer, refused);
});

test("a change of the credentials replaces them as a whole; what is not named stays", async () => {
  const { id } = must(await post(company, {}), 201).body.data;
  const patch = (body: object) => company.call("PATCH", `${PATH}/${id}`, { body });
  expectRefused(await patch({ credentials: { key_id: "only" } }), { "credentials.key_secret": "required" });
  const changed = must(
    await patch({ credentials: { key_id: "new-key-1111", key_secret: "new-secret-2222" } }),
    200,
  );
  expect(changed.body.data).toMatchObject({
    credentials: { key_id: { last_four: "1111" }, key_secret: { last_four: "2222" } },
    webhook_secret: { last_four: "9012" },
    is_active: true,
  });
});

test("a gateway that a payment went through stays; another is removed", async () => {
  const { company, connected } = await openShop();
  const unused = must(await post(company, { priority: 900 }), 201).body.data;
  await placeOrder(company);
  expect(await company.call("DELETE", `${PATH}/${connected.id}`)).toMatchObject(refusal(409, "in_use"));
  must(await company.call("DELETE", `${PATH}/${unused.id}`), 200);
  expect((await company.call("GET", `${PATH}/${unused.id}`)).status).toBe(404);
});
