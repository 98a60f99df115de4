import { describe, expect, test } from "vitest";
import { gstinCheckDigit } from "#shared/gst/gstin.ts";
import { must, openCompany } from "../../support/company.ts";
import { newCustomer, newInvoice, REGISTERED, refusedFields } from "../commerce.ts";
import { newPayment, newProduct } from "../money.ts";
import { refusal } from "../refusal.ts";

const company = await openCompany(REGISTERED);

const get = (path: string) => company.call("GET", `/settings/:company/${path}`);
const post = (path: string, body: unknown) =>
  company.call<{ id: string }>("POST", `/settings/:company/${path}`, { body });
const patch = (path: string, body: unknown) => company.call("PATCH", `/settings/:company/${path}`, { body });
const remove = (path: string) => company.call("DELETE", `/settings/:company/${path}`);

describe("profile", () => {
  test("is changed in part, and invoices to come follow it", async () => {
    const before = must(await get("profile"), 200).body.data;
    const changes = { upi_id: "asha@okbank", invoice_prefix: "ASH", phone: "+91 80 1234 5678" };
    const after = must(await patch("profile", changes), 200).body.data;
    expect(after).toEqual({ ...before, ...changes, updated_at: after.updated_at });
    const invoice = await newInvoice(company, (await newCustomer(company)).id);
    expect(invoice.invoice_number).toMatch(/^ASH\/\d\d-\d\d\/00001$/);
  });

  test("checks state and GSTIN against each other", async () => {
    expect(await patch("profile", { state: "Kerala" })).toMatchObject({
      body: { code: "gstin_state_mismatch" },
    });
    expect(await patch("profile", { gstin: "29AAFCA7488L1Z0" })).toMatchObject({
      body: { code: "invalid_gstin" },
    });
    expect(await patch("profile", { state: "Nowhere" })).toMatchObject({ body: { code: "invalid_state" } });
    const moved = must(await patch("profile", { state: "MH", gstin: "27AAPFU0939F1ZV" }), 200).body.data;
    expect(moved).toMatchObject({ state: "Maharashtra", state_code: "27" });
  });

  test("warns of a GSTIN that is no supplier's: of one who deducts or collects tax, or a UIN", async () => {
    const warned = async (first14: string) => {
      const gstin = first14 + gstinCheckDigit(first14);
      return must(await patch("profile", { gstin, state: first14.slice(0, 2) }), 200).body.data.warnings;
    };
    for (const first14 of ["29BLRT01234A1D", "27AAPFU0939F1C", "2917USA00012UN"])
      expect(await warned(first14)).toEqual(["gstin_of_no_seller"]);
    expect(await warned("27AAPFU0939F1Z")).toEqual([]);
  });

  test("keeps the time zone in the control database, where the next call finds it", async () => {
    expect(must(await patch("profile", { timezone: "Pacific/Auckland" }), 200).body.data.timezone).toBe(
      "Pacific/Auckland",
    );
    expect(must(await get("profile"), 200).body.data.timezone).toBe("Pacific/Auckland");
    expect(refusedFields(await patch("profile", { timezone: "+05:30" }))).toEqual({
      timezone: "invalid_timezone",
    });
  });

  test("changes nothing for a key whose limit is reached, the time zone neither", async () => {
    const own = await openCompany();
    const key = await own.makeKey({ scopes: ["settings:read", "settings:write"], rate_limit_per_minute: 1 });
    const path = "/settings/:company/profile";
    must(await own.call("GET", path, { key }), 200);
    const body = { timezone: "Pacific/Auckland", name: "Asha & Sons" };
    expect(await own.call("PATCH", path, { key, body })).toMatchObject({ status: 429 });
    const { timezone, name } = must(await own.call("GET", path), 200).body.data;
    expect([timezone, name]).toEqual(["Asia/Kolkata", "Asha Traders"]);
  });

  test.each([
    [{ invoice_prefix: "LONG" }, "invoice_prefix"],
    [{ upi_id: "not a upi id" }, "upi_id"],
    [{ logo_url: "http://insecure.example/x.png" }, "logo_url"],
    [{ email: "nobody" }, "email"],
  ])("refuses %j", async (body, field) => {
    expect(Object.keys(refusedFields(await patch("profile", body)))).toEqual([field]);
  });
});

describe.each([
  ["units", { code: "GROSS", name: "Gross" }, { name: "Gross of 144" }],
  ["categories", { name: "Kitchen" }, { name: "Kitchenware" }],
  ["accounts", { code: "1011", name: "Petty Cash", type: "asset" }, { name: "Float" }],
  ["payment-modes", { name: "Wallet", mode_type: "online" }, { is_active: false }],
])("%s", (path, body, change) => {
  test("are made, read, listed, changed and removed", async () => {
    const { id } = must(await post(path, body), 201).body.data;
    expect(must(await get(`${path}/${id}`), 200).body.data).toMatchObject(body);
    expect((await company.read<{ id: string }[]>(`/settings/:company/${path}?limit=1`))[0]?.id).toBe(id);
    expect(must(await patch(`${path}/${id}`, change), 200).body.data).toMatchObject({ ...body, ...change });
    expect(await patch(`${path}/${id}`, {})).toMatchObject(refusal(422, "no_accepted_fields"));
    expect(must(await remove(`${path}/${id}`), 200).body.data).toEqual({ id, deleted: true });
    expect(await get(`${path}/${id}`)).toMatchObject({ status: 404 });
    expect(await remove(`${path}/${id}`)).toMatchObject({ status: 404 });
  });

  test("of a name or code that is taken are 409", async () => {
    must(await post(path, body), 201);
    expect(await post(path, body)).toMatchObject({ status: 409 });
  });
});

describe("what is referred to cannot be removed", () => {
  test("a unit and a category of a product", async () => {
    const category = must(await post("categories", { name: "Garden" }), 201).body.data.id;
    const unit = must(await post("units", { code: "POT", name: "Pots" }), 201).body.data.id;
    await newProduct(company, { unit_id: unit, category_id: category });
    for (const path of [`units/${unit}`, `categories/${category}`])
      expect(await remove(path)).toMatchObject({ status: 409, body: { code: "in_use" } });
  });

  test("a mode that a payment was made by, the account of a mode, and the service's own accounts", async () => {
    const account = must(await post("accounts", { code: "1021", name: "Second bank", type: "asset" }), 201)
      .body.data.id;
    const mode = must(
      await post("payment-modes", { name: "Second bank", mode_type: "bank", account_id: account }),
      201,
    ).body.data.id;
    const { id: invoiceId } = await newInvoice(company, (await newCustomer(company)).id);
    await newPayment(company, { invoice_id: invoiceId, amount: 1, payment_mode_id: mode });
    for (const path of [`payment-modes/${mode}`, `accounts/${account}`, "accounts/1"])
      expect(await remove(path), path).toMatchObject({ status: 409, body: { code: "in_use" } });
  });

  test("a mode names no account that is not there", async () => {
    expect(
      refusedFields(await post("payment-modes", { name: "X", mode_type: "bank", account_id: 999_999 })),
    ).toEqual({ account_id: "not_found" });
  });

  test("a mode names an account that holds money: none of income, of tax, or of a customer", async () => {
    const { ledger_account_id: debtor } = await newCustomer(company);
    const [sales, tax, bank] = await Promise.all(["4000", "2100", "1020"].map(accountOf));
    const mode = must(
      await post("payment-modes", { name: "Till", mode_type: "bank", account_id: bank }),
      201,
    );
    for (const account of [debtor, sales, tax]) {
      const named = { account_id: account };
      const made = await post("payment-modes", { name: "X", mode_type: "bank", ...named });
      for (const answer of [made, await patch(`payment-modes/${mode.body.data.id}`, named)])
        expect(refusedFields(answer)).toEqual({ account_id: "not_found" });
    }
  });
});

async function accountOf(code: string): Promise<unknown> {
  const [row] = await company.rows(`SELECT id FROM accounts WHERE code = '${code}'`);
  return String(row?.id);
}

describe("the accounts of customers", () => {
  test("keep their codes to themselves, so that customers to come can be given theirs", async () => {
    const code = `1100-${Number((await newCustomer(company)).id) + 1}`;
    expect(refusedFields(await post("accounts", { code, name: "Mine", type: "asset" }))).toEqual({
      code: "reserved",
    });
    await newCustomer(company);
    must(await post("accounts", { code: "1100.1", name: "Other debtors", type: "asset" }), 201);
  });

  test("keep the customer's name, and may be switched off", async () => {
    const { ledger_account_id: id, ledger_account_name: name } = await newCustomer(company);
    expect(await patch(`accounts/${id}`, { name: "Mine", is_active: false })).toMatchObject(
      refusal(409, "in_use"),
    );
    expect(must(await patch(`accounts/${id}`, { is_active: false }), 200).body.data).toMatchObject({
      name,
      is_active: false,
    });
  });
});
