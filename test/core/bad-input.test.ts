import { afterAll, describe, expect, test } from "vitest";
import { refusal, wrongField } from "../features/refusal.ts";
import { openBusy, openCompany } from "../support/company.ts";
import { expectSound, rowCounts } from "../support/oracles.ts";

const CUSTOMERS = "/customers/:company";
const INVOICES = "/invoices/:company";
const customer = { name: "Meera Traders", state: "Karnataka", pincode: "560001" };
const item = { item_name: "Bottle", quantity: 1, unit: "NOS", unit_price: 100, tax_rate: 18 };

const company = await openBusy({ state: "Karnataka" });
const customerId = String((await company.make(CUSTOMERS, customer)).id);
const invoice = { customer_id: customerId, items: [item] };
const { id: invoiceId } = await company.make(INVOICES, invoice);
const before = await rowCounts(company);

// The sentence that all tests of this file share: what is refused has written nothing.
afterAll(async () => {
  expect(await rowCounts(company)).toEqual(before);
  await expectSound(company);
});

/** An invoice body as text, with one member of its line written by hand. */
function invoiceText(member: string, written: string): string {
  const line = JSON.stringify({ ...item, [member]: "@" }).replace('"@"', written);
  return `{"customer_id":"${customerId}","items":[${line}]}`;
}

describe("a body that may be left out", () => {
  const path = (verb: string) => `${INVOICES}/${invoiceId}/${verb}`;

  test.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])(
    "is not passed over where it comes as '%s'",
    async (type) => {
      for (const verb of ["send", "credit-notes"]) {
        const headers = { "Content-Type": type };
        const answer = await company.call("POST", path(verb), { body: '{"reason":"cancellation"}', headers });
        expect(answer).toMatchObject({ status: 415, body: { code: "unsupported_media_type" } });
        expect(answer.body.message).toContain("Content-Type: application/json");
      }
    },
  );

  test.each(["Application/JSON", "application/json ; charset=UTF-8", "application/merge-patch+json"])(
    "is read where it comes as '%s'",
    async (type) => {
      const headers = { "Content-Type": type };
      const answer = await company.call("POST", path("credit-notes"), { body: '{"reason":"x"}', headers });
      expect(answer.body.errors).toMatchObject([{ field: "reason" }]);
    },
  );
});

describe("numbers", () => {
  test.each([
    ["quantity", "1e400", "items[0].quantity"],
    ["quantity", "-0", "items[0].quantity"],
    ["quantity", "1e21", "items[0].quantity"],
    ["quantity", '"NaN"', "items[0].quantity"],
    ["unit_price", "-1e400", "items[0].unit_price"],
    ["unit_price", "9007199254740993", "items[0].unit_price"],
  ])("%s of %s is 422 at %s", async (member, written, field) => {
    const answer = await company.call("POST", INVOICES, { body: invoiceText(member, written) });
    expect(answer).toMatchObject(wrongField(field));
  });
});

test("-0 is 0 where 0 is allowed", async () => {
  const own = await openCompany({ state: "Karnataka" });
  await own.make(CUSTOMERS, customer);
  const body = invoiceText("discount_amount", "-0").replace(`"${customerId}"`, '"1"');
  expect(await own.make(INVOICES, body)).toMatchObject({ discount_total: 0 });
  await expectSound(own);
});

describe("names that only an attack sends", () => {
  test.each(["__proto__", "constructor", "prototype"])(
    "%s is 422 at any depth, and reaches nothing",
    async (name) => {
      const bodies = [
        `{"${name}":{"polluted":true},"name":"Meera","state":"Karnataka","pincode":"560001"}`,
        `{"name":"Meera","state":"Karnataka","pincode":"560001","metadata":{"${name}":"x"}}`,
        `{"customer_id":"${customerId}","items":[{"deep":[{"${name}":1}]}]}`,
      ];
      for (const body of bodies) {
        const answer = await company.call("POST", CUSTOMERS, { body });
        expect(answer).toMatchObject(wrongField(name, "forbidden_name"));
      }
    },
  );
});

describe("a misspelt member", () => {
  const refused = (...errors: object[]) => refusal(422, "unknown_member", { errors });

  test("is refused before its own absence, and sells nothing", async () => {
    const body = { customerId, items: [{ ...item, unitPrice: 1 }] };
    const answer = await company.call("POST", INVOICES, { body });
    expect(answer.body.message).toBe("customerId is not a member of this body: the nearest is customer_id");
    expect(answer).toMatchObject(
      refused(
        { field: "customerId", code: "unknown_member" },
        { field: "items[0].unitPrice", code: "unknown_member" },
        { field: "customer_id", code: "required" },
      ),
    );
  });

  test("is refused in a body that names nothing else", async () => {
    const answer = await company.call("PATCH", `${CUSTOMERS}/${customerId}`, { body: { Name: "Other" } });
    expect(answer).toMatchObject(refused({ code: "unknown_member" }, { code: "no_accepted_fields" }));
  });

  test.each([
    ["/invoices/:company/1/credit-notes", { reason: "sales_return" }],
    ["/orders/:company/1/resolve", { action: "refund" }],
    ["/settings/:company/bookings/bkg_aaaaaaaaaaaaaaaaaaaaaaaaaa/cancel", { refund: true }],
    ["/ledger/:company/captures/1/settle", { outside_reference: "by hand" }],
    ["/refunds/:company", { capture_id: "1", reason: "duplicate_payment" }],
  ])("is refused where a call gives money back: %s", async (path, body) => {
    const answer = await company.call("POST", path, { body: { ...body, total: 20 } });
    expect(answer).toMatchObject(refused({ field: "total" }));
  });

  test("of a dry run writes nothing", async () => {
    const answer = await company.call("POST", INVOICES, { body: { ...invoice, dry_run: true } });
    expect(answer).toMatchObject(refusal(422, "unknown_member"));
    expect(answer.body.message).toBe(
      "dry_run is not a member of this body: it belongs in the address, ?dry_run=true",
    );
  });
});

describe("queries", () => {
  test.each([
    ["limit=10&limit=20", "limit"],
    ["cursor=a&cursor=b", "cursor"],
    ["q=a&q=b", "q"],
    ["q=%00", "q"],
  ])("?%s is 422 at %s", async (query, field) => {
    expect(await company.call("GET", `${CUSTOMERS}?${query}`)).toMatchObject(wrongField(field));
  });

  test.each(["%", "%E0%A4%A", "q=%FF%FE"])("a query of %s is no fault of the service", async (query) => {
    expect((await company.call("GET", `${CUSTOMERS}?${query}`)).status).toBeLessThan(500);
  });
});
