import { describe, expect, test } from "vitest";
import { must, openCompany } from "../../support/company.ts";
import { expectSound, openSound } from "../../support/oracles.ts";
import { newCustomer, newInvoice, refusedFields } from "../commerce.ts";
import {
  adjust,
  newBatches,
  newProduct,
  type ProductRecord,
  stockOf,
  tally,
  times,
  voidInvoice,
} from "../money.ts";
import { refusal } from "../refusal.ts";

const company = await openSound();

const post = (body: unknown) => company.call<ProductRecord>("POST", "/products/:company", { body });
const patch = (id: string, body: unknown) =>
  company.call<ProductRecord>("PATCH", `/products/:company/${id}`, { body });
const movements = (id: string) =>
  company.rows(
    "SELECT type, quantity, balance_after, batch_id FROM stock_movements WHERE product_id = ? ORDER BY id",
    id,
  );

describe("create", () => {
  test("fills in what a name and a unit leave out", async () => {
    expect(await newProduct(company)).toMatchObject({
      id: expect.stringMatching(/^[1-9]\d*$/),
      unit: { id: "1", code: "NOS", name: "Numbers" },
      category: null,
      product_type: "goods",
      currency: "INR",
      tax_rate: 0,
      price_includes_tax: false,
      status: "active",
      is_storefront_visible: true,
      track_stock: false,
      current_stock: null,
    });
  });

  test("records opening stock as a movement, and as a batch where batches are tracked", async () => {
    const plain = await newProduct(company, { track_stock: true, opening_stock: 2.5 });
    expect(plain).toMatchObject({ opening_stock: 2.5, current_stock: 2.5 });
    expect(await movements(plain.id)).toEqual([
      { type: "opening", quantity: 2_500, balance_after: 2_500, batch_id: null },
    ]);

    const batched = await newProduct(company, {
      track_stock: true,
      opening_stock: 4,
      is_batch_tracked: true,
    });
    const named = {
      track_stock: true,
      opening_stock: 1,
      is_batch_tracked: true,
      opening_batch_number: "LOT 7",
    };
    const lot = await newProduct(company, named);
    const batches = await company.rows(
      "SELECT batch_number, quantity FROM batches WHERE product_id IN (?, ?) ORDER BY id",
      batched.id,
      lot.id,
    );
    expect(batches).toEqual([
      { batch_number: `OPEN-${batched.id}`, quantity: 4_000 },
      { batch_number: "LOT 7", quantity: 1_000 },
    ]);
  });

  test("of an untracked product moves no stock, whatever it opens with", async () => {
    const { id, current_stock: stock } = await newProduct(company, { track_stock: false, opening_stock: 5 });
    expect(stock).toBeNull();
    expect(await movements(id)).toEqual([]);
  });

  test("refuses a unit or category that is not there", async () => {
    expect(refusedFields(await post({ name: "X", unit_id: 999_999 }))).toEqual({ unit_id: "not_found" });
    expect(refusedFields(await post({ name: "X", unit_id: 1, category_id: 999_999 }))).toEqual({
      category_id: "not_found",
    });
  });

  test("lets one of ten products at once have a SKU; the others are 409 duplicate_sku", async () => {
    const answers = await times(10, () => post({ name: "Bottle", unit_id: 1, sku: "BOT-1" }));
    expect(tally(answers)).toEqual({ 201: 1, 409: 9 });
    for (const { status, body } of answers) if (status === 409) expect(body.code).toBe("duplicate_sku");
  });
});

describe("update", () => {
  test("changes only the fields sent; null clears", async () => {
    const made = await newProduct(company, { description: "Steel", mrp: 400 });
    const { body } = must(await patch(made.id, { selling_price: 329, description: null }), 200);
    expect(body.data).toEqual({
      ...made,
      selling_price: 329,
      description: null,
      updated_at: body.data.updated_at,
    });
  });

  test("never changes stock or its tracking", async () => {
    const { id } = await newProduct(company, { track_stock: true, opening_stock: 1 });
    for (const body of [
      { track_stock: false },
      { opening_stock: 9 },
      { current_stock: 9 },
      { images: [] },
      {},
    ])
      expect(await patch(id, body)).toMatchObject({ status: 422, body: { code: "no_accepted_fields" } });
    must(await patch(id, { name: "Bottle", track_stock: false, current_stock: 9 }), 200);
    expect(await stockOf(company, id)).toBe(1);
    await expect(company.rows("UPDATE products SET track_stock = 0 WHERE id = ?", id)).rejects.toThrow(
      "tracking_is_fixed",
    );
  });
});

describe("stock adjustment", () => {
  test("moves stock by exactly its quantity and returns the new balance", async () => {
    const { id } = await newProduct(company, { track_stock: true, opening_stock: 5 });
    const up = must(
      await adjust(company, id, { adjustment_type: "increase", quantity: 0.25, reason: "Found" }),
      201,
    );
    expect(up.body.data).toEqual({
      id,
      movement_id: expect.any(String),
      adjustment_type: "increase",
      quantity: 0.25,
      current_stock: 5.25,
      created_at: expect.stringMatching(/Z$/),
    });
    const down = must(await adjust(company, id, { adjustment_type: "decrease", quantity: 5.25 }), 201);
    expect(down.body.data.current_stock).toBe(0);
  });

  test("below zero is 422 insufficient_stock with the current stock, unless the company allows it", async () => {
    const lax = await openCompany();
    const { id } = await newProduct(lax, { track_stock: true, opening_stock: 1 });
    expect(await adjust(lax, id, { adjustment_type: "decrease", quantity: 2 })).toMatchObject({
      status: 422,
      body: { status: 422, code: "insufficient_stock", current_stock: 1 },
    });
    const items = [
      { item_name: "Bottle", quantity: 2, unit: "NOS", unit_price: 10, tax_rate: 0, product_id: id },
    ];
    const customer_id = (await newCustomer(lax)).id;
    const short = await lax.call("POST", "/invoices/:company", { body: { customer_id, items } });
    expect(short).toMatchObject(refusal(409, "insufficient_stock", { product_id: id, available: 1 }));
    await lax.change("/settings/:company/profile", { allow_negative_stock: true });
    await newInvoice(lax, customer_id, { items });
    expect(await stockOf(lax, id)).toBe(-1);
    await expectSound(lax);
  });

  test("of an untracked product is 422, and of nothing", async () => {
    const { id } = await newProduct(company);
    expect(await adjust(company, id, { adjustment_type: "increase", quantity: 1 })).toMatchObject({
      body: { code: "stock_not_tracked" },
    });
    const refused = await adjust(company, id, { adjustment_type: "sideways", quantity: 0.001 });
    expect(refusedFields(refused)).toEqual({ adjustment_type: "invalid_value", quantity: "too_small" });
  });

  test("posts no journal entry", async () => {
    const count = () => company.rows("SELECT count(*) AS entries FROM journal_entries");
    const before = await count();
    const { id } = await newProduct(company, { track_stock: true, opening_stock: 5, purchase_price: 3 });
    must(await adjust(company, id, { adjustment_type: "decrease", quantity: 1 }), 201);
    expect(await count()).toEqual(before);
  });
});

describe("batches", () => {
  test("begin with the first increase where a product opened with none", async () => {
    const { id } = await newProduct(company, { track_stock: true, is_batch_tracked: true });
    must(await adjust(company, id, { adjustment_type: "increase", quantity: 2 }), 201);
    const batches = await company.rows("SELECT batch_number, quantity FROM batches WHERE product_id = ?", id);
    expect(batches).toEqual([{ batch_number: `ADJ-${id}`, quantity: 2_000 }]);
  });

  test("give first in, first out, and take back what a void restores, each its own", async () => {
    const { id, held } = await newBatches(company);
    expect(await held()).toEqual([3_000, 5_000]);

    const items = [
      { item_name: "Bottle", quantity: 4, unit: "NOS", unit_price: 10, tax_rate: 0, product_id: id },
    ];
    const invoice = await newInvoice(company, (await newCustomer(company)).id, { items });
    expect(await held()).toEqual([0, 4_000]);
    must(await voidInvoice(company, invoice.id), 200);
    expect(await held()).toEqual([3_000, 5_000]);
  });
});

test("movements are append-only, in the database itself", async () => {
  await newProduct(company, { track_stock: true, opening_stock: 1 });
  await expect(company.rows("UPDATE stock_movements SET quantity = 1")).rejects.toThrow("append_only");
  await expect(company.rows("DELETE FROM stock_movements")).rejects.toThrow("append_only");
});

test("products are found by part of name or SKU in any case, and by category", async () => {
  const category = await company.make("/settings/:company/categories", { name: "Kitchen" });
  const { id } = await newProduct(company, { name: "Ceramic Mug", sku: "MUG-300", category_id: category.id });
  const find = async (query: string) =>
    (await company.read<ProductRecord[]>(`/products/:company?${query}`)).map((found) => found.id);
  for (const query of [
    "q=ceramic",
    "q=ug-30",
    "q=MU",
    `category_id=${category.id}`,
    `q=mug&category_id=${category.id}`,
  ])
    expect(await find(query), query).toEqual([id]);
  must(await patch(id, { name: "Clay cup", sku: null }), 200);
  expect(await find("q=ceramic")).toEqual([]);
});
