import { describe, expect, test } from "vitest";
import { openCompany } from "../../support/company.ts";
import {
  line,
  newCustomer,
  newInvoice,
  openTrader,
  postInvoice,
  REGISTERED,
  refusedFields,
} from "../commerce.ts";
import { newProduct } from "../money.ts";

const { company, customerId } = await openTrader();

async function expectRefused(
  fields: Record<string, unknown>,
  refused: Record<string, string>,
): Promise<void> {
  const answer = await postInvoice(company, customerId, fields);
  expect(answer).toMatchObject({ status: 422, body: { code: "validation_failed" } });
  expect(refusedFields(answer)).toEqual(refused);
}

describe.each(["item_name", "quantity", "unit", "unit_price", "tax_rate"])("a line needs %s", (field) => {
  test.each([
    ["left out", undefined, "required"],
    ["null", null, "invalid_type"],
    ["of another type", {}, "invalid_type"],
  ])("%s is 422", async (_what, value, code) => {
    await expectRefused({ items: [{ ...line, [field]: value }] }, { [`items[0].${field}`]: code });
    await expectRefused({ items: [line, { ...line, [field]: value }] }, { [`items[1].${field}`]: code });
  });
});

test("a line needs tax_rate, though its product has one", async () => {
  const seller = await openCompany(REGISTERED);
  const { id: product_id } = await newProduct(seller, { tax_rate: 18 });
  const items = [{ ...line, product_id, tax_rate: undefined }];
  const answer = await postInvoice(seller, (await newCustomer(seller)).id, { items });
  expect(refusedFields(answer)).toEqual({ "items[0].tax_rate": "required" });
});

test("an invoice of more than 200 lines is 422, however many they are", async () => {
  for (const length of [201, 500, 2_000])
    await expectRefused({ items: Array.from({ length }, () => line) }, { items: "too_big" });
});

test("all lines that are wrong are named at once", async () => {
  await expectRefused(
    { items: [{}, line, { ...line, unit: "" }] },
    {
      "items[0].item_name": "required",
      "items[0].quantity": "required",
      "items[0].unit": "required",
      "items[0].unit_price": "required",
      "items[0].tax_rate": "required",
      "items[2].unit": "too_small",
    },
  );
});

test.each([
  ["item_name", "", "too_small"],
  ["item_name", "   ", "too_small"],
  ["item_name", "n".repeat(256), "too_big"],
  ["unit", "u".repeat(21), "too_big"],
  ["quantity", 0, "too_small"],
  ["quantity", -1, "too_small"],
  ["quantity", 100_000_000, "too_big"],
  ["unit_price", -0.01, "too_small"],
  ["unit_price", 100_000_000, "too_big"],
  ["tax_rate", -1, "too_small"],
  ["tax_rate", 100.001, "too_big"],
  ["quantity", 1.0005, "invalid_precision"],
  ["quantity", 0.0015, "invalid_precision"],
  ["unit_price", 0.00005, "invalid_precision"],
  ["unit_price", 99.99999, "invalid_precision"],
  ["tax_rate", 18.0005, "invalid_precision"],
  ["discount_amount", 0.005, "invalid_precision"],
  ["discount_amount", -1, "too_small"],
  ["discount_amount", 299.98, "too_big"],
  ["hsn_sac_code", "12345", "invalid_format"],
  ["hsn_sac_code", "12", "invalid_format"],
  ["hsn_sac_code", "73.2", "invalid_format"],
  ["description", "d".repeat(1_001), "too_big"],
  ["product_id", 1, "not_found"],
  ["product_id", "1", "not_found"],
  ["product_id", "first", "invalid_id"],
])("a line's %s %j is 422 %s", async (field, value, code) => {
  await expectRefused({ items: [line, { ...line, [field]: value }] }, { [`items[1].${field}`]: code });
});

test("the finest amounts that are accepted come back as they were sent", async () => {
  const finest = { ...line, quantity: 0.001, unit_price: 0.0001, tax_rate: 0.001 };
  const largest = { ...line, quantity: 100, unit_price: 99_999_999, tax_rate: 0, discount_amount: 0.01 };
  const { items } = await newInvoice(company, customerId, { items: [finest, largest] });
  expect(items).toMatchObject([finest, largest]);
});

describe("amounts above 9,999,999,999.99 are too big", () => {
  const most = { ...line, tax_rate: 0, quantity: 100, unit_price: 99_999_999 };
  const rest = { ...line, tax_rate: 0, quantity: 1 };

  test("a total of just so much is accepted", async () => {
    const items = [most, { ...rest, unit_price: 99.99 }];
    const created = await newInvoice(company, customerId, { items, apply_round_off: false });
    expect(created).toMatchObject({ sub_total: 9_999_999_999.99, total_amount: 9_999_999_999.99 });
  });

  const both = { "items[0]": "too_big", items: "too_big" };
  test.each<[what: string, fields: object, refused: Record<string, string>]>([
    [
      "a paisa more",
      { items: [most, { ...rest, unit_price: 100 }], apply_round_off: false },
      { items: "too_big" },
    ],
    [
      "a total that only the rounding lifts above",
      { items: [most, { ...rest, unit_price: 99.99 }] },
      { items: "too_big" },
    ],
    ["one that only the tax lifts above, by its line too", { items: [{ ...most, tax_rate: 0.1 }] }, both],
    [
      "the largest line that a schema could hold",
      { items: [{ ...most, quantity: 99_999_999, tax_rate: 100 }] },
      both,
    ],
    [
      "a gross amount above them, which no discount brings back",
      { items: [{ ...most, quantity: 101, discount_amount: 9_999_999_999 }] },
      both,
    ],
  ])("%s is refused", async (_what, fields, refused) => {
    await expectRefused({ ...fields }, refused);
  });
});

describe("the invoice itself", () => {
  test.each([
    ["items", [], "too_small"],
    ["customer_id", null, "invalid_id"],
    ["customer_id", "abc", "invalid_id"],
    ["customer_id", 0, "invalid_id"],
    ["customer_id", 1.5, "invalid_id"],
    ["customer_id", 999_999, "not_found"],
    ["customer_id", "999999", "not_found"],
    ["invoice_date", "2026-02-30", "invalid_date"],
    ["invoice_date", "21-11-2026", "invalid_date"],
    ["due_date", "tomorrow", "invalid_date"],
    ["reference_number", "r".repeat(101), "too_big"],
    ["notes", "n".repeat(2_001), "too_big"],
    ["terms", "t".repeat(5_001), "too_big"],
    ["metadata", { ["k".repeat(41)]: "v" }, "invalid_key"],
    ["metadata", Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`k${index}`, "v"])), "too_big"],
  ])("%s %j is 422 %s", async (field, value, code) => {
    const refused = {
      [field === "metadata" && code === "invalid_key" ? `metadata.${"k".repeat(41)}` : field]: code,
    };
    await expectRefused({ [field]: value }, refused);
  });

  test.each(["USD", "inr", "EUR"])("currency %s is 422 currency_not_supported", async (currency) => {
    const answer = await postInvoice(company, customerId, { currency });
    expect(answer).toMatchObject({ status: 422, body: { code: "currency_not_supported" } });
    expect(refusedFields(answer)).toEqual({ currency: "currency_not_supported" });
  });

  test("200 lines with all that a line may say are accepted, in their order", async () => {
    const items = Array.from({ length: 200 }, (_, index) => ({
      ...line,
      item_name: `Item ${index}`,
      description: "Blue",
      hsn_sac_code: "732393",
      discount_amount: 1,
      product_id: null,
    }));
    const created = await newInvoice(company, customerId, { items });
    expect(created.items.map((item) => item.item_name)).toEqual(items.map((item) => item.item_name));
  });

  test("a customer's id may be a number or its digits", async () => {
    expect((await newInvoice(company, Number(customerId))).customer_id).toBe(customerId);
    expect((await newInvoice(company, customerId)).customer_id).toBe(customerId);
  });

  test("what the API does not offer is ignored: attachments, recurrence, payments", async () => {
    const created = await newInvoice(company, customerId, {
      attachments: ["a.pdf"],
      recurring: { every: "month" },
      recurring_interval: 1,
      payments: [{ amount: 354 }],
    });
    expect(created).toMatchObject({ payment_status: "unpaid", amount_due: 354 });
    expect(created).not.toHaveProperty("attachments");
  });
});
