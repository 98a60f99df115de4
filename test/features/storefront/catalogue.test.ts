import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { must, openCompany, type TestCompany } from "../../support/company.ts";
import { pagesOf } from "../../support/pages.ts";
import { newProduct, times } from "../money.ts";
import { refusal } from "../refusal.ts";

type Item = Record<string, unknown>;

async function catalogue(company: TestCompany, query = ""): Promise<Item[]> {
  return must(await company.call<Item[]>("GET", `/storefront/:company/products?${query}`), 200).body.data;
}

const company = await openCompany();

test("the catalogue shows active products that are visible, with their price and never their cost", async () => {
  const company = await openCompany();
  const category = await company.make<{ id: string }>("/settings/:company/categories", { name: "Bottles" });
  const shown = await newProduct(company, {
    name: "Steel bottle",
    sku: "B-1",
    selling_price: 349.5,
    purchase_price: 200,
    tax_rate: 18,
    hsn_sac_code: "732393",
    category_id: category.id,
    track_stock: true,
    opening_stock: 2.5,
  });
  const hidden = await newProduct(company, { name: "Hidden", is_storefront_visible: false });
  const inactive = await newProduct(company, { name: "Old", status: "inactive" });

  const [item, ...others] = await catalogue(company);
  expect(others).toEqual([]);
  expect(item).toEqual({
    id: Number(shown.id),
    name: "Steel bottle",
    sku: "B-1",
    description: null,
    price: 349.5,
    price_with_tax: 412.42,
    currency: "INR",
    tax_rate: 18,
    price_includes_tax: false,
    hsn_sac_code: "732393",
    unit: "NOS",
    category: { id: Number(category.id), name: "Bottles" },
    product_type: "goods",
    in_stock: true,
    available_quantity: 2.5,
    image_url: null,
  });
  const one = await company.call("GET", `/storefront/:company/products/${shown.id}`);
  expect(one).toMatchObject({ status: 200, body: { success: true, data: item } });
  for (const id of [hidden.id, inactive.id])
    expect(await company.call("GET", `/storefront/:company/products/${id}`)).toMatchObject(
      refusal(404, "not_found"),
    );
});

test("what is not tracked is in stock, what has run out is not", async () => {
  await newProduct(company, { name: "Sold out", track_stock: true });
  await newProduct(company, { name: "Service", product_type: "service" });
  expect(await catalogue(company)).toMatchObject([
    { name: "Service", in_stock: true, available_quantity: null },
    { name: "Sold out", in_stock: false, available_quantity: 0 },
  ]);
});

test("the catalogue is paged, and searched by name and category", async () => {
  const company = await openCompany();
  for (const name of ["Steel bottle", "Glass bottle", "Carrier"]) await newProduct(company, { name });
  expect((await catalogue(company, "q=bottle")).map(({ name }) => name)).toEqual([
    "Glass bottle",
    "Steel bottle",
  ]);
  expect(await catalogue(company, "category_id=77")).toEqual([]);
  const pages = await pagesOf<Item>(company, "/storefront/:company/products", { limit: "2" });
  expect(pages.map((page) => page.map(({ name }) => name))).toEqual([
    ["Carrier", "Glass bottle"],
    ["Steel bottle"],
  ]);
});

test("a shop that asks again within a second is answered without the database, and never with what a call has changed", async () => {
  const { id } = await newProduct(company, { name: "Cup", selling_price: 100 });
  const one = `/storefront/:company/products/${id}`;
  const before = await company.requests();
  const answers = await times(20, () => company.call("GET", one).then(() => company.call("GET", one)));
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  expect((await company.requests()) - before).toBeLessThan(40);
  for (let price = 101; price <= 110; price += 1) {
    must(await company.call("PATCH", `/products/:company/${id}`, { body: { selling_price: price } }), 200);
    const item = (await catalogue(company)).find((listed) => listed.id === Number(id));
    expect(item?.price).toBe(price);
    expect((await company.call<Item>("GET", one)).body.data.price).toBe(price);
  }
});

test("what another writer has changed is answered a second later at most", async () => {
  const { id } = await newProduct(company, { name: "Saucer", selling_price: 100 });
  await catalogue(company);
  await company.rows("UPDATE products SET name = 'Mug' WHERE id = ?", id);
  await sleep(1_000);
  const listed = (await catalogue(company)).map(({ name }) => name);
  expect([listed.includes("Mug"), listed.includes("Saucer")]).toEqual([true, false]);
});
