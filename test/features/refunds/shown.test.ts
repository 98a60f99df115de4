import { expect, test } from "vitest";
import { must } from "../../support/company.ts";
import { expectSound } from "../../support/oracles.ts";
import { getCustomer, getInvoice } from "../commerce.ts";
import { byAmount, newNote, payOut } from "../credit-notes/notes.ts";
import { visit } from "../invoices/page/hosted.ts";
import { today } from "../money.ts";
import { openShop } from "../storefront/shop.ts";
import { endAtGateway, endNext, getRefund, giveBack, newRefund, type Shop } from "./refunds.ts";
import { soldOrder } from "./sales.ts";

async function sold(shop: Shop) {
  const { paymentId, invoiceId } = await soldOrder(shop);
  return { paymentId, invoice: await getInvoice(shop.company, invoiceId) };
}
type Sold = Awaited<ReturnType<typeof sold>>["invoice"];

/** The rows of the sums of the invoice's page, by their names. */
async function sumsOf({ hosted_url: url }: Sold, language = "en") {
  const { text } = must(await visit(`${new URL(String(url)).pathname}?lang=${language}`), 200);
  const [totals = ""] = /<dl class="totals">.*?<\/dl>/s.exec(text) ?? [];
  const rows = [...totals.matchAll(/<dt>([^<]*)<\/dt><dd>[^<\d-]*([^<]*)<\/dd>/g)];
  return { text, sums: rows.map(([, name, value]) => `${name}: ${value}`.replace("&#39;", "'")) };
}
async function balanceOf({ company }: Shop, { customer_id: id }: Sold) {
  const { outstanding_amount: outstanding, balances } = (await getCustomer(company, id)).body.data;
  const [ledger] = await company.rows(
    `SELECT sum(debit - credit) / 100.0 AS owed FROM accounts JOIN journal_lines ON account_id = accounts.id
      WHERE party_type = 'customer' AND party_id = ?`,
    id,
  );
  const credit = balances?.map(({ credit_balance: unused }) => unused);
  const net = balances?.map(({ net_balance: left }) => left);
  return { outstanding, credit, net, ledger: ledger?.owed };
}

test("what the gateway gave back is owed in the record, on the page, by the customer and in the ledger until a note is issued", async () => {
  const shop = await openShop();
  const { company } = shop;
  const { paymentId, invoice } = await sold(shop);
  expect(invoice).toMatchObject({ amount_paid: 100, amount_due: 0, refunded_without_credit_note: 0 });
  expect((await sumsOf(invoice)).sums.slice(-2)).toEqual(["Paid: -100.00", "Amount due: 0.00"]);
  await giveBack(shop, paymentId, { source: "console", amount: 4_000 });
  expect(await getInvoice(company, invoice.id)).toMatchObject({
    ...{ amount_paid: 100, amount_due: 0, payment_status: "paid", refunded_without_credit_note: 40 },
  });
  expect(await balanceOf(shop, invoice)).toEqual({ outstanding: 40, credit: [0], net: [40], ledger: 40 });
  const { text, sums } = await sumsOf(invoice);
  expect(sums.slice(-4)).toEqual([
    ...["Paid: -100.00", "Returned to the payer: 40.00", "In review: -40.00", "Amount due: 0.00"],
  ]);
  expect(text).toContain('class="stamp review">In review<');
  expect(text).toContain("₹40.00 of the payment was returned to the payer.");
  expect((await sumsOf(invoice, "hi")).text).toContain("₹40.00 भुगतानकर्ता को वापस गए।");

  const bounced = await giveBack(shop, paymentId, { source: "console", amount: 1_000 });
  expect(await getInvoice(company, invoice.id)).toMatchObject({ refunded_without_credit_note: 50 });
  await endAtGateway(shop, bounced.id, "failed");
  expect(await getInvoice(company, invoice.id)).toMatchObject({ refunded_without_credit_note: 40 });

  const note = await newNote(company, invoice.id, byAmount(invoice.items[0]?.id, 60));
  expect(note).toMatchObject({ total_amount: 60 });
  expect(await getInvoice(company, invoice.id)).toMatchObject({ refunded_without_credit_note: 0 });
  expect(await balanceOf(shop, invoice)).toEqual({ outstanding: 0, credit: [20], net: [-20], ledger: -20 });
  expect((await sumsOf(invoice)).sums.slice(-5)).toEqual([
    "Paid: -100.00",
    `Credited (${note.credit_note_number}): -60.00`,
    ...["Paid back: 40.00", "Credit not used yet: 20.00", "Amount due: 0.00"],
  ]);
  await expectSound(company);
});

test("the page shows what was credited, what is paid back, on its way and taken by the bank; what is on its way is credit in the net balance", async () => {
  const shop = await openShop("stripe");
  const { company } = shop;
  const { paymentId, invoice } = await sold(shop);
  const item = invoice.items[0]?.id;
  const notes: string[] = [];
  const note = async (amount: number) => {
    const made = await newNote(company, invoice.id, byAmount(item, amount));
    notes.push(made.credit_note_number);
    return made.id;
  };
  await newRefund(company, { credit_note_id: await note(20), reason: "deficiency" });
  must(await payOut(company, await note(30), { amount: 30, payout_date: today() }), 201);
  await endNext(shop, paymentId, "pending");
  const { id: onItsWay } = await newRefund(company, { credit_note_id: await note(15), reason: "deficiency" });
  expect(await balanceOf(shop, invoice)).toEqual({ outstanding: 0, credit: [0], net: [-15], ledger: -15 });
  await giveBack(shop, paymentId, { source: "chargeback", amount: 1_000 });
  await note(10);
  const { sums, text } = await sumsOf(invoice);
  expect(sums.slice(-6)).toEqual([
    "Paid: -100.00",
    `Credited (${notes.join(", ")}): -75.00`,
    ...["Paid back: 50.00", "On its way back: 15.00", "Taken back by the payer's bank: 10.00"],
    "Amount due: 0.00",
  ]);
  expect(text).toContain('class="stamp paid">Paid<');
  expect((await sumsOf(invoice, "hi")).sums.slice(-5)).toEqual([
    `क्रेडिट दिया गया (${notes.join(", ")}): -75.00`,
    ...["लौटाया गया: 50.00", "लौटाया जा रहा है: 15.00", "भुगतानकर्ता के बैंक ने वापस लिया: 10.00", "देय राशि: 0.00"],
  ]);
  await endAtGateway(shop, (await getRefund(company, onItsWay)).gateway_refund_id, "succeeded");
  expect(await balanceOf(shop, invoice)).toEqual({ outstanding: 0, credit: [0], net: [0], ledger: 0 });
  await expectSound(company);
});
