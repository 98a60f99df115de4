import { expect, test } from "vitest";
import { must } from "../../support/company.ts";
import { openSound } from "../../support/oracles.ts";
import { type CustomerRecord, getCustomer, newCustomer, patchCustomer, refusedFields } from "../commerce.ts";

const OPTIONAL = {
  display_name: "Meera",
  email: "meera@example.com",
  phone: "98765 43210",
  company_name: "Meera LLP",
  pan: "ABCDE1234F",
  address: "12 Market Road",
  city: "Mysuru",
  shipping_address: {
    name: "Rao Logistics",
    phone: "080 2222 3333",
    address: "Dock 4",
    city: "Hubli",
    state: "Karnataka",
    pincode: "580020",
    country: "IN",
  },
  notes: "Pays on Fridays",
  language: "hi",
};
const REST = { gst_category: "consumer", currency: "USD", payment_terms_days: 30, metadata: { crm: "A-17" } };

const company = await openSound({ state: "Karnataka" });
const customer = await newCustomer(company, { ...OPTIONAL });

async function change(body: Record<string, unknown>): Promise<CustomerRecord> {
  return must(await patchCustomer(company, customer.id, body), 200).body.data;
}

test.each([{}, { name: null }, { name: "  ", unknown: 1 }])(
  "a shipping address that says nothing, %j, is none",
  async (shipping_address) => {
    const made = await newCustomer(company, { name: "No address", shipping_address });
    expect(made.shipping_address).toBeNull();
    const kept = await newCustomer(company, { name: "Kept", shipping_address: { city: "Hubli" } });
    const answer = must(await patchCustomer(company, kept.id, { shipping_address }), 200);
    expect(answer.body.data.shipping_address).toBeNull();
  },
);

test.each(Object.entries({ ...OPTIONAL, ...REST, name: "Renamed", state: "Telangana", pincode: "570001" }))(
  "%s alone can be changed, and nothing else changes",
  async (field, value) => {
    const fresh = await newCustomer(company, { name: "Fresh" });
    const answer = must(await patchCustomer(company, fresh.id, { [field]: value }), 200);
    const follows =
      field === "state"
        ? { state_code: "36" }
        : { ledger_account_name: field === "name" ? "Sundry Debtors / Renamed" : fresh.ledger_account_name };
    const updated = { updated_at: expect.any(String) };
    expect(answer.body.data).toEqual({ ...fresh, [field]: value, ...follows, ...updated });
    expect((await getCustomer(company, fresh.id)).body.data).toEqual(answer.body.data);
  },
);

test.each(Object.keys(OPTIONAL))("null clears %s", async (field) => {
  expect(await change({ [field]: null })).toMatchObject({ [field]: null });
  const restored = await change({ [field]: OPTIONAL[field as keyof typeof OPTIONAL] });
  expect(restored).toMatchObject({ [field]: OPTIONAL[field as keyof typeof OPTIONAL] });
});

test.each([
  "name",
  "state",
  "pincode",
  "country",
  "currency",
  "payment_terms_days",
  "gst_category",
  "metadata",
])("%s cannot be null", async (field) => {
  const answer = await patchCustomer(company, customer.id, { [field]: null });
  expect(answer).toMatchObject({ status: 422, body: { code: "validation_failed" } });
  expect(Object.keys(refusedFields(answer))).toEqual([field]);
});

test("metadata is replaced as a whole", async () => {
  await change({ metadata: { a: "1", b: "2" } });
  expect((await change({ metadata: { b: "3" } })).metadata).toEqual({ b: "3" });
  expect((await change({ metadata: {} })).metadata).toEqual({});
});

test("what is not accepted is ignored beside what is", async () => {
  const { id, ledger_account_name } = customer;
  const ignored = { id: "1", opening_balance: 5, image: "x", is_vendor: true, ledger_account_name: "x" };
  const kept = { id, is_vendor: false, outstanding_amount: 0, ledger_account_name };
  expect(await change({ city: "Udupi", ...ignored })).toMatchObject({ city: "Udupi", ...kept });
});

test("a refused change changes nothing", async () => {
  const before = (await getCustomer(company, customer.id)).body.data;
  const answer = await patchCustomer(company, customer.id, { name: "Half", pincode: "0" });
  expect(answer.status).toBe(422);
  expect((await getCustomer(company, customer.id)).body.data).toEqual(before);
});

test("changes of different fields at the same time lose nothing", async () => {
  for (let round = 0; round < 5; round += 1) {
    const fields = {
      display_name: `Display ${round}`,
      email: `round${round}@example.com`,
      phone: `98765 4321${round}`,
      city: `City ${round}`,
      notes: `Note ${round}`,
      payment_terms_days: round + 1,
      state: round % 2 === 0 ? "Kerala" : "Goa",
      pincode: `68200${round}`,
      pan: `ABCDE123${round}F`,
      name: `Name ${round}`,
    };
    const answers = await Promise.all(
      Object.entries(fields).map(([field, value]) => patchCustomer(company, customer.id, { [field]: value })),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect((await getCustomer(company, customer.id)).body.data).toMatchObject({
      ...fields,
      state_code: round % 2 === 0 ? "32" : "30",
      ledger_account_name: `Sundry Debtors / Name ${round}`,
    });
  }
});
