import { expect, test } from "vitest";
import { must } from "../../support/company.ts";
import { expectSound } from "../../support/oracles.ts";
import { getInvoice, rowsOf } from "../commerce.ts";
import { entryLines, today } from "../money.ts";
import { deliver, openShop, placeOrder, razorpayEvent } from "../storefront/shop.ts";
import { newNote, payOut } from "./notes.ts";

test("of a shop's invoice the shipping is taken back from its own account, and what was paid is credit", async () => {
  const { company, connected } = await openShop();
  const placed = await placeOrder(company, { shipping_amount: 50 });
  must(await deliver(company, connected, razorpayEvent(placed)), 200);
  const [order] = await rowsOf(company, "SELECT invoice_id FROM sales_orders");
  const invoice = await getInvoice(company, String(order?.invoice_id));
  const note = await newNote(company, invoice.id);
  expect(note).toMatchObject({ total_amount: invoice.total_amount, unapplied_amount: invoice.total_amount });
  const invoiced = (await entryLines(company, invoice.journal_entry_id)).toSorted();
  expect(invoiced.some((line) => line.startsWith("Shipping Income"))).toBe(true);
  const reversed = invoiced.map((line) => line.replace(/ Dr (\S+) Cr (\S+)$/, " Dr $2 Cr $1"));
  expect((await entryLines(company, note.journal_entry_id)).toSorted()).toEqual(reversed.toSorted());
  expect(await getInvoice(company, invoice.id)).toMatchObject({
    payment_status: "paid",
    credit_status: "full",
    amount_credited: 0,
  });
  must(await payOut(company, note.id, { amount: note.total_amount, payout_date: today() }), 201);
  await expectSound(company);
});
