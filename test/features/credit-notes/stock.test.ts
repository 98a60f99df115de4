import { expect, test } from "vitest";
import { must } from "../../support/company.ts";
import { expectSound } from "../../support/oracles.ts";
import { getInvoice, line, newInvoice, openTrader, refusedFields } from "../commerce.ts";
import { newBatches, newProduct, stockOf, voidInvoice } from "../money.ts";
import { refusal } from "../refusal.ts";
import { byAmount, byQuantity, newNote, postNote, voidNote } from "./notes.ts";

const { company, customerId } = await openTrader();

const exact = { ...line, quantity: 3, unit_price: 100 };
const sold = (items: object[]) => newInvoice(company, customerId, { items });
const tracked = () => newProduct(company, { track_stock: true, opening_stock: 10 });

test("returned goods go back to stock, and out again with the note", async () => {
  const product = await newProduct(company, { track_stock: true, opening_stock: 10 });
  const invoice = await sold([{ ...exact, product_id: product.id }]);
  const item = invoice.items[0]?.id;
  await newNote(company, invoice.id, byQuantity(item, 1));
  expect(await stockOf(company, product.id)).toBe(7);
  const note = await newNote(company, invoice.id, byQuantity(item, 2, { restock: true }));
  expect(await stockOf(company, product.id)).toBe(9);
  const rest = await sold([{ ...exact, product_id: product.id, quantity: 8 }]);
  expect(await voidNote(company, note.id)).toMatchObject(refusal(409, "insufficient_stock"));
  must(await voidInvoice(company, rest.id), 200);
  must(await voidNote(company, note.id), 200);
  expect(await stockOf(company, product.id)).toBe(7);
});

test("goods go back to the batches of their sale, the newest first", async () => {
  const { id, held } = await newBatches(company);
  const invoice = await sold([{ ...exact, product_id: id, quantity: 5 }]);
  const item = invoice.items[0]?.id;
  expect(await held()).toEqual([0, 3_000]);
  await newNote(company, invoice.id, byQuantity(item, 3, { restock: true }));
  expect(await held()).toEqual([1_000, 5_000]);
  const rest = await newNote(company, invoice.id, byQuantity(item, 2, { restock: true }));
  expect(await held()).toEqual([3_000, 5_000]);
  must(await voidNote(company, rest.id), 200);
  expect(await held()).toEqual([1_000, 5_000]);
});

test("a whole note brings back free goods too, and those whose price was credited before", async () => {
  const [paid, free, given] = [await tracked(), await tracked(), await tracked()];
  const invoice = await sold([
    { ...exact, product_id: paid.id },
    { ...exact, product_id: free.id, unit_price: 0 },
    { ...exact, product_id: given.id, quantity: 1 },
    { ...exact, unit_price: 5 },
    { ...exact, unit_price: 0 },
  ]);
  await newNote(company, invoice.id, byAmount(invoice.items[2]?.id, 100));
  const note = await newNote(company, invoice.id, { reason: "sales_return", restock: true });
  expect(note.items.map(({ quantity, taxable_value }) => [quantity, taxable_value])).toEqual([
    [3, 300],
    [3, 0],
    [1, 0],
    [3, 15],
  ]);
  for (const { id } of [paid, free, given]) expect(await stockOf(company, id)).toBe(10);
  expect(await getInvoice(company, invoice.id)).toMatchObject({ credit_status: "full", amount_due: 0 });
});

test("goods without a value left come back alone, on a note over nothing, once", async () => {
  const { id: free } = await tracked();
  const invoice = await sold([{ ...exact }, { ...exact, product_id: free, unit_price: 0 }]);
  const item = invoice.items[1]?.id;
  const note = await newNote(company, invoice.id, byQuantity(item, 2, { restock: true }));
  expect(note).toMatchObject({ total_amount: 0, applied_amount: 0, journal_entry_id: null });
  expect(note).not.toHaveProperty("warnings");
  expect(await stockOf(company, free)).toBe(9);
  expect(await postNote(company, invoice.id, byQuantity(item, 2, { restock: true }))).toMatchObject(
    refusal(422, "credit_exceeds_invoice", { quantity_left: 1 }),
  );
  expect(refusedFields(await postNote(company, invoice.id, byQuantity(item, 1)))).toEqual({
    items: "too_small",
  });
  await expectSound(company);
  must(await voidNote(company, note.id), 200);
  expect(await stockOf(company, free)).toBe(7);
});

test("restock is refused for what moves no stock", async () => {
  const { id: kept } = await newProduct(company, { track_stock: false });
  const { id } = await tracked();
  const invoice = await sold([{ ...exact, product_id: id }, { ...exact, product_id: kept }, exact]);
  const [goods, untracked, service] = invoice.items.map((item) => item.id);
  const both = {
    items: [
      { invoice_item_id: goods, quantity: 1 },
      { invoice_item_id: service, quantity: 1 },
    ],
    reason: "sales_return",
    restock: true,
  };
  for (const body of [
    byAmount(goods, 50, { restock: true }),
    byQuantity(untracked, 1, { restock: true }),
    byQuantity(service, 1, { restock: true }),
    both,
  ])
    expect(refusedFields(await postNote(company, invoice.id, body))).toEqual({ restock: "not_stocked" });
  await newNote(company, invoice.id, byQuantity(goods, 3, { restock: true }));
  const rest = await postNote(company, invoice.id, { reason: "sales_return", restock: true });
  expect(refusedFields(rest)).toEqual({ restock: "not_stocked" });
  expect(await stockOf(company, id)).toBe(10);
});
