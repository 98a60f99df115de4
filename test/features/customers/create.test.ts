import { describe, expect, test } from "vitest";
import { openSound } from "../../support/oracles.ts";
import { customerBody, getCustomer, newCustomer, postCustomer, refusedFields } from "../commerce.ts";

const company = await openSound({ state: "Karnataka" });

test("name, state and pincode make a customer, and everything else has its default", async () => {
  const { status, body } = await postCustomer(company);
  expect(status).toBe(201);
  const { id, ledger_account_id: accountId, created_at: createdAt, ...rest } = body.data;
  expect([id, accountId]).toEqual([expect.stringMatching(/^[1-9]\d*$/), expect.stringMatching(/^[1-9]\d*$/)]);
  expect(createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(rest).toEqual({
    external_id: null,
    name: "Meera Traders",
    display_name: null,
    email: null,
    phone: null,
    company_name: null,
    gstin: null,
    gst_category: "unregistered",
    pan: null,
    address: null,
    city: null,
    state: "Karnataka",
    state_code: "29",
    pincode: "560001",
    country: "IN",
    shipping_address: null,
    currency: "INR",
    payment_terms_days: 0,
    notes: null,
    language: null,
    is_vendor: false,
    ledger_account_name: expect.stringMatching(/^Sundry Debtors \/ Meera Traders/),
    outstanding_amount: 0,
    balances: [],
    status: "active",
    metadata: {},
    updated_at: createdAt,
  });
});

test("every field that a client may set is kept as it was sent", async () => {
  const fields = {
    name: "Café Ünïcode & Söhne",
    display_name: "Café",
    email: "Accounts@Cafe.example",
    phone: "+91 98765 43210",
    company_name: "Café Private Limited",
    gstin: "24AAQCA8719H1ZC",
    gst_category: "sez",
    pan: "AAQCA8719H",
    address: "12 Market Road\nFirst floor",
    city: "Surat",
    state: "Gujarat",
    pincode: "395001",
    country: "IN",
    shipping_address: {
      name: "Rao Logistics",
      phone: "080 2222 3333",
      address: "Dock 4",
      city: "Kandla",
      state: "Gujarat",
      pincode: "370210",
      country: "IN",
    },
    currency: "INR",
    payment_terms_days: 45,
    notes: "Pays on Fridays",
    language: "hi",
    metadata: { crm: "A-17" },
  };
  const created = await newCustomer(company, fields);
  expect(created).toMatchObject({ ...fields, state_code: "24" });
  expect((await getCustomer(company, created.id)).body.data).toEqual(created);
});

describe.each(["name", "state", "pincode"])("%s is required", (field) => {
  test.each([
    ["null", null, "invalid_type"],
    ["empty", "", "too_small"],
    ["only spaces", " \t ", "too_small"],
  ])("%s is 422", async (_what, value, code) => {
    const answer = await postCustomer(company, { [field]: value });
    expect(answer).toMatchObject({ status: 422, body: { code: "validation_failed" } });
    expect(refusedFields(answer)).toEqual({ [field]: code });
  });
});

test.each([
  ["name", "n".repeat(256), "too_big"],
  ["email", `${"a".repeat(64)}@${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(63)}.example`, "too_big"],
  ["email", "not an address", "invalid_format"],
  ["phone", "9".repeat(31), "too_big"],
  ["phone", "+9.19845E+11", "invalid_phone"],
  ["phone", "98450xxxxx", "invalid_phone"],
  ["name", "\u200b", "too_small"],
  ["address", "a".repeat(501), "too_big"],
  ["city", "c".repeat(101), "too_big"],
  ["notes", "n".repeat(2_001), "too_big"],
  ["pan", "aaqca8719h", "invalid_format"],
  ["country", "IND", "invalid_format"],
  ["currency", "rupees", "invalid_format"],
  ["gst_category", "large", "invalid_value"],
  ["payment_terms_days", 366, "too_big"],
  ["payment_terms_days", -1, "too_small"],
  ["payment_terms_days", 1.5, "invalid_type"],
  ["name", "a\u0000b", "invalid_characters"],
  ["name", "a\u202eb", "invalid_characters"],
  ["shipping_address", "Dock 4", "invalid_type"],
  ["language", "fr", "invalid_value"],
])("%s %j is 422 %s", async (field, value, code) => {
  const answer = await postCustomer(company, { [field]: value });
  expect(answer).toMatchObject({ status: 422, body: { code: "validation_failed" } });
  expect(refusedFields(answer)).toMatchObject({ [field]: code });
});

test("a name of 255 characters and terms of 0 and 365 days are within the limits", async () => {
  const longest = await newCustomer(company, { name: "n".repeat(255), payment_terms_days: 365 });
  expect(longest).toMatchObject({ name: "n".repeat(255), payment_terms_days: 365 });
});

test("what a client may not set is ignored: the opening balance, images, the id, flags and unknown fields", async () => {
  const created = await newCustomer(company, {
    name: "Ignored",
    opening_balance: 500,
    image: "data:image/png;base64,AAAA",
    profile_image: "https://images.example/a.png",
    avatar_url: "https://images.example/a.png",
    id: "7000",
    is_vendor: true,
    status: "inactive",
    ledger_account_id: "1",
    outstanding_amount: 99,
    colour: "red",
  });
  expect(created).toMatchObject({ is_vendor: false, status: "active", outstanding_amount: 0 });
  expect(created.id).not.toBe("7000");
  const known = Object.keys(await newCustomer(company, customerBody));
  expect(Object.keys(created)).toEqual(known);
});
