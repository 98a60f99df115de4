import { expect, test } from "vitest";
import { must, openCompany, type TestCompany } from "../../support/company.ts";
import { expectSound } from "../../support/oracles.ts";
import { line, newCustomer, newInvoice, postInvoice, REGISTERED, refusedFields } from "../commerce.ts";
import { newProduct, stockOf, voidInvoice } from "../money.ts";
import { expectRefused, refusal } from "../refusal.ts";

type Unit = { id: string; code: string };

async function unitId(company: TestCompany, code: string): Promise<string> {
  const units = must(await company.call<Unit[]>("GET", "/products/:company/units"), 200).body.data;
  return String(units.find((unit) => unit.code === code)?.id);
}

const shared = await openCompany(REGISTERED);

/** A customer, and a product counted in a unit with 1,000 of it in stock. */
async function open(unit: string, company = shared) {
  const customer = await newCustomer(company);
  const product = await newProduct(company, {
    unit_id: await unitId(company, unit),
    track_stock: true,
    opening_stock: 1_000,
  });
  const sell = (quantity: number, as: string) =>
    postInvoice(company, customer.id, { items: [{ ...line, product_id: product.id, quantity, unit: as }] });
  return { company, customer, product, sell };
}

test.each([
  ["NOS", 2, "DOZ", 976],
  ["NOS", 3, "pcs", 997],
  ["NOS", 0.5, "THD", 500],
  ["KGS", 500, "GMS", 999.5],
  ["KGS", 1.5, "QTL", 850],
  ["KGS", 1, "TON", 0],
  ["GMS", 0.25, "KGS", 750],
  ["DOZ", 6, "NOS", 999.5],
  ["LTR", 250, "MLT", 999.75],
  ["MTR", 40, "CMS", 999.6],
])("of a product in %s, %s %s leave %s", async (own, quantity, as, left) => {
  const { company, product, sell } = await open(own);
  const invoice = must(await sell(quantity, as), 201).body.data;
  expect(invoice.items).toMatchObject([{ quantity, unit: as }]);
  expect(await stockOf(company, product.id)).toBe(left);
  must(await voidInvoice(company, invoice.id), 200);
  expect(await stockOf(company, product.id)).toBe(1_000);
  await expectSound(company);
});

test.each([
  ["NOS", 5, "BOX", { "items[0].unit": "unit_mismatch" }],
  ["NOS", 5, "KGS", { "items[0].unit": "unit_mismatch" }],
  ["NOS", 5, "crate", { "items[0].unit": "unit_mismatch" }],
  ["KGS", 0.5, "GMS", { "items[0].quantity": "invalid_precision" }],
  ["DOZ", 1, "NOS", { "items[0].quantity": "invalid_precision" }],
])("of a product in %s, %s %s are refused", async (own, quantity, as, refused) => {
  const { company, product, sell } = await open(own);
  expectRefused(await sell(quantity, as), refused);
  expect(await stockOf(company, product.id)).toBe(1_000);
});

test("what wants more than there is, counted in another unit, is refused with what there is", async () => {
  const { product, sell } = await open("NOS");
  expect(await sell(84, "DOZ")).toMatchObject(
    refusal(409, "insufficient_stock", { product_id: product.id, available: 1_000 }),
  );
});

test("a unit of the company's own is converted once its conversion is set; its base stays, and may be renamed", async () => {
  const { company, product, sell } = await open("NOS", await openCompany(REGISTERED));
  const path = "/settings/:company/units";
  const gross = await company.make<Unit>(path, { code: "GROSS", name: "Gross" });
  expect(gross).toMatchObject({ base_code: null, factor: null });
  expect((await sell(1, "GROSS")).status).toBe(422);
  const patch = (id: string, body: object) => company.call<Unit>("PATCH", `${path}/${id}`, { body });
  expect(refusedFields(await patch(gross.id, { base_code: "NOS" }))).toEqual({ factor: "required" });
  expectRefused(await patch(gross.id, { base_code: "DOZ", factor: 12 }), { base_code: "not_found" });
  expect(must(await patch(gross.id, { base_code: "NOS", factor: 144 }), 200).body.data).toMatchObject({
    base_code: "NOS",
    factor: 144,
  });
  must(await sell(1, "GROSS"), 201);
  expect(await stockOf(company, product.id)).toBe(856);
  must(await patch(await unitId(company, "NOS"), { code: "ITEMS" }), 200);
  must(await sell(1, "GROSS"), 201);
  expect(await stockOf(company, product.id)).toBe(712);
  const base = await unitId(company, "LTR");
  expect((await company.call("DELETE", `${path}/${base}`)).body.code).toBe("in_use");
});

test("a line of a product whose stock is not tracked may have any unit", async () => {
  const { company, customer } = await open("NOS");
  const { id } = await newProduct(company);
  must(await postInvoice(company, customer.id, { items: [{ ...line, product_id: id, unit: "crate" }] }), 201);
});

test("a product's HSN fills a line that names it, and the line's own wins, as its tax rate does", async () => {
  const { company, customer } = await open("NOS");
  const { id } = await newProduct(company, { hsn_sac_code: "732393", tax_rate: 12 });
  const items = [
    { ...line, product_id: id },
    { ...line, product_id: id, hsn_sac_code: null },
    { ...line, product_id: id, hsn_sac_code: "7323" },
  ];
  const invoice = await newInvoice(company, customer.id, { items });
  expect(invoice.items.map(({ tax_rate, hsn_sac_code }) => [tax_rate, hsn_sac_code])).toEqual([
    [18, "732393"],
    [18, "732393"],
    [18, "7323"],
  ]);
  await expectSound(company);
});
