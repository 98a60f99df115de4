import { afterAll, describe, expect, test } from "vitest";
import { must, openCompany } from "../support/company.ts";
import { expectSound, rowCounts } from "../support/oracles.ts";

const CUSTOMERS = "/customers/:company";
const INVOICES = "/invoices/:company";
const customer = { name: "Meera Traders", state: "Karnataka", pincode: "560001" };
const item = { item_name: "Bottle", quantity: 1, unit: "NOS", unit_price: 100, tax_rate: 18 };

const company = await openCompany({ state: "Karnataka" });
await company.raiseLimit();
const customerId = String(must(await company.call("POST", CUSTOMERS, { body: customer }), 201).body.data.id);
const before = await rowCounts(company);

// The sentence that all tests of this file share: what is refused has written nothing.
afterAll(async () => {
  expect(await rowCounts(company)).toEqual(before);
  await expectSound(company);
});

describe("a misspelt member", () => {
  test("is refused before its own absence, and sells nothing", async () => {
    const body = { customerId, items: [{ ...item, unitPrice: 1 }] };
    const answer = await company.call("POST", INVOICES, { body });
    expect(answer).toMatchObject({ status: 422, body: { code: "unknown_member" } });
    expect(answer.body.message).toBe("customerId is not a member of this body: the nearest is customer_id");
    const found = answer.body.errors.map(({ field, code }: Record<string, string>) => `${field} ${code}`);
    expect(found).toEqual([
      "customerId unknown_member",
      "items[0].unitPrice unknown_member",
      "customer_id required",
    ]);
  });

  test("is refused in a body that names nothing else", async () => {
    const answer = await company.call("PATCH", `${CUSTOMERS}/${customerId}`, { body: { Name: "Other" } });
    expect(answer).toMatchObject({ status: 422, body: { code: "unknown_member" } });
    expect(answer.body.errors.map(({ code }: Record<string, string>) => code)).toEqual([
      "unknown_member",
      "no_accepted_fields",
    ]);
  });

  test.each([
    ["/invoices/:company/1/credit-notes", { reason: "sales_return" }],
    ["/orders/:company/1/resolve", { action: "refund" }],
    ["/settings/:company/bookings/bkg_aaaaaaaaaaaaaaaaaaaaaaaaaa/cancel", { refund: true }],
    ["/ledger/:company/captures/1/settle", { outside_reference: "by hand" }],
    ["/refunds/:company", { capture_id: "1", reason: "duplicate_payment" }],
  ])("is refused where a call gives money back: %s", async (path, body) => {
    const answer = await company.call("POST", path, { body: { ...body, total: 20 } });
    expect(answer).toMatchObject({ status: 422, body: { code: "unknown_member" } });
    expect(answer.body.errors).toMatchObject([{ field: "total" }]);
  });

  test("of a dry run writes nothing", async () => {
    const body = { customer_id: customerId, items: [item], dry_run: true };
    const answer = await company.call("POST", INVOICES, { body });
    expect(answer).toMatchObject({ status: 422, body: { code: "unknown_member" } });
    expect(answer.body.message).toBe(
      "dry_run is not a member of this body: it belongs in the address, ?dry_run=true",
    );
  });
});
