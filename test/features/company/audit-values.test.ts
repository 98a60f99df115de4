import { expect, test } from "vitest";
import { openCompany, type TestCompany } from "../../support/company.ts";
import { newCustomer } from "../commerce.ts";
import { newProduct } from "../money.ts";

type Value = { field: string; from: unknown; to: unknown };
type Entry = { changed: string[] | null; values: Value[] };

const LOG = "/settings/:company/audit-log";

async function last(company: TestCompany, log = LOG, key = company.admin): Promise<Entry> {
  const [entry] = await company.read<Entry[]>(`${log}?limit=1`, { key });
  if (entry === undefined) throw new Error("The audit log is empty");
  return entry;
}

const SETTINGS: [path: string, before: object, change: object, values: Value[]][] = [
  [
    "books",
    { gst_filed_through: "2026-08" },
    { gst_filed_through: "2026-09", locked_through: "2026-03-31" },
    [
      { field: "gst_filed_through", from: "2026-08", to: "2026-09" },
      { field: "locked_at", from: null, to: expect.stringMatching(/Z$/) },
      { field: "locked_through", from: null, to: "2026-03-31" },
    ],
  ],
  [
    "profile",
    { upi_id: "old@upi", email: "old@example.com" },
    { upi_id: "new@upi", email: "new@example.com", allow_negative_stock: true },
    [
      { field: "allow_negative_stock", from: false, to: true },
      { field: "upi_id", from: "old@upi", to: "new@upi" },
    ],
  ],
  ["payment-modes/1", {}, { account_id: "2" }, [{ field: "account_id", from: null, to: "2" }]],
];

test.each(SETTINGS)("the audit log keeps old and new values: %s", async (path, before, change, values) => {
  const company = await openCompany();
  if (Object.keys(before).length > 0) await company.change(`/settings/:company/${path}`, before);
  await company.change(`/settings/:company/${path}`, change);
  expect((await last(company)).values).toEqual(values);
});

test("values are as reads answer them, a long text is named alone, and a key sees those that it may read", async () => {
  const company = await openCompany();
  const { id } = await newProduct(company, { name: "Oil", selling_price: 349.5, tax_rate: 5 });
  const body = { name: "Gear oil", selling_price: 1_299.05, tax_rate: 18, description: "x".repeat(1_000) };
  await company.change(`/products/:company/${id}`, body);
  const changed = ["description", "name", "selling_price", "tax_rate"];
  const values = [
    { field: "name", from: "Oil", to: "Gear oil" },
    { field: "selling_price", from: 349.5, to: 1_299.05 },
    { field: "tax_rate", from: 5, to: 18 },
  ];
  expect(await last(company)).toMatchObject({ changed, values });
  expect(await last(company, LOG, await company.key("settings:read"))).toMatchObject({ changed, values: [] });
  expect((await last(company, LOG, await company.key("settings:read", "products:read"))).values).toEqual(
    values,
  );
});

test("of a key the scopes and the limit before and after are kept", async () => {
  const company = await openCompany();
  const { client_id } = await company.key("products:read");
  await company.change(`/settings/:company/keys/${client_id}`, {
    scopes: ["products:read", "orders:read"],
    name: "Meera's",
  });
  expect(await last(company, `${LOG}/keys`)).toMatchObject({
    changed: ["name", "scopes"],
    values: [{ field: "scopes", from: ["products:read"], to: ["products:read", "orders:read"] }],
  });
});

test("no text of a person and no secret stands in the log, so an erasure leaves nothing there", async () => {
  const company = await openCompany();
  const { id } = await newCustomer(company, { email: "zarina@example.com", phone: "+919845067812" });
  expect((await last(company)).changed).toBeNull();
  const texts = {
    name: "Zarina Quadri",
    phone: "+919845067813",
    address: "7 Hill Road",
    notes: "calls late",
  };
  await company.change(`/customers/:company/${id}`, { ...texts, payment_terms_days: 45 });
  await company.change(`/customers/:company/${id}`, texts);
  expect((await last(company)).changed).toEqual([]);
  const made = await company.make("/settings/:company/payment-gateways", {
    kind: "razorpay",
    mode: "test",
    credentials: { key_id: "rzp_test_1", key_secret: "s3cret-one" },
    webhook_secret: "s3cret-hook",
  });
  const credentials = { key_id: "rzp_test_2", key_secret: "s3cret-two" };
  await company.change(`/settings/:company/payment-gateways/${made.id}`, { credentials, priority: 7 });
  const rows = await company.rows(
    "SELECT fields, kept FROM audit_changes WHERE kept <> '{}' ORDER BY audit_id",
  );
  expect(rows[0]?.fields).toBe(
    '["address","ledger_account_name","name","notes","payment_terms_days","phone"]',
  );
  expect(rows.map(({ kept }) => Object.keys(JSON.parse(String(kept))))).toEqual([
    ["payment_terms_days"],
    ["priority"],
  ]);
  expect(JSON.stringify(rows)).not.toMatch(/zarina|98450|hill|calls|s3cret|rzp_test/i);
});

test("a date is kept as it was and became", async () => {
  const company = await openCompany();
  await company.make("/projects/:company/projects", { name: "Site", code: "SITE" });
  const { id } = await company.make<{ id: string }>("/projects/:company/projects/1/milestones", {
    name: "Opening",
    due_date: "2026-12-01",
  });
  await company.change(`/projects/:company/projects/1/milestones/${id}`, { due_date: "2026-12-26" });
  expect((await last(company)).values).toEqual([{ field: "due_date", from: "2026-12-01", to: "2026-12-26" }]);
});
