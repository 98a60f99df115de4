import { expect, test } from "vitest";
import { must } from "../../support/company.ts";
import { connectGateway } from "../../support/gateways.ts";
import { getInvoice, newInvoice } from "../commerce.ts";
import { applyNote, newNote, payOut } from "../credit-notes/notes.ts";
import { newPayment, refund, today, voidInvoice } from "../money.ts";
import { openSeller } from "../payments/online/unpaid.ts";
import { endAtGateway, refundEvent } from "../refunds/refunds.ts";
import { openLessons, soldInvoice, soldOrder } from "../refunds/sales.ts";
import { STAFF_BOOKINGS, setRules, staffPatch } from "../school.ts";
import { captured, deliver, openShop, placeOrder } from "../storefront/shop.ts";
import { expectConserved, movesOf } from "./moves.ts";

test("an invoice is paid by hand, with tax deducted, and by credit, which is paid out; what is removed moves back", async () => {
  const { company, customerId } = await openSeller();
  const { id } = await newInvoice(company, customerId);
  await newPayment(company, { invoice_id: id, amount: 100, tds_amount: 10, tds_section: "194C" });
  for (const fields of [{}, { tds_amount: 5, tds_section: "194C" }])
    must(
      await refund(company, (await newPayment(company, { invoice_id: id, amount: 50, ...fields })).id),
      200,
    );
  const note = await newNote(company, id);
  const other = await newInvoice(company, customerId);
  must(await applyNote(company, note.id, other.id, 60), 200);
  must(await payOut(company, note.id, { amount: 30, payout_date: today() }), 201);
  must(await voidInvoice(company, other.id), 200);
  expect((await movesOf(company)).map((move) => move.replace("invoice:1: ", ""))).toEqual([
    "note 1 > invoice 1 24400",
    "note 1 > invoice 2 6000",
    "invoice 2 > note 1 6000 back",
    "note 1 > payout 1 3000",
    "hand > invoice 1 10000",
    "tds > invoice 1 1000",
    "hand > invoice 1 5000",
    "invoice 1 > hand 5000 back",
    "hand > invoice 1 5000",
    "invoice 1 > hand 5000 back",
    "tds > invoice 1 500",
    "invoice 1 > tds 500 back",
  ]);
  expect((await getInvoice(company, id)).amount_due).toBe(0);
  await expectConserved(company);
});

test("an order is paid twice: one goes back, the console gives back of the other, a note is allocated to that, and a bank sends it back", async () => {
  const seller = await openSeller();
  const { company } = seller;
  const sale = await soldOrder(seller, "twice");
  await sale.refund({ amount: 60 });
  await sale.refund();
  await sale.console(40);
  await sale.note(40);
  await sale.refund({ reason: "cancellation" });
  const all = [
    "capture 1 > pool 10000",
    "capture 2 > pool 10000",
    "pool > invoice 1 10000",
    "pool > refund 1 6000",
    "refund 1 > payer 6000",
    "pool > refund 2 4000",
    "refund 2 > payer 4000",
    "note 1 > to_allocate 4000",
    "to_allocate > refund 3 4000",
    "refund 3 > payer 4000",
    "note 2 > refund 4 6000",
    "refund 4 > payer 6000",
  ];
  expect(await movesOf(company)).toEqual(all.map((move) => `order:${sale.id}: ${move}`));
  await expectConserved(company);
  for (const { gateway_refund_id: id } of await company.read<{ gateway_refund_id: string }[]>(
    "/refunds/:company",
  ))
    await endAtGateway(seller, id, "failed");
  const backs = all.slice(3).map((move) => move.replace(/(.+) > (.+) (\d+)$/, "$2 > $1 $3 back"));
  expect((await movesOf(company)).filter((move) => move.endsWith("back")).toSorted()).toEqual(
    backs.map((move) => `order:${sale.id}: ${move}`).toSorted(),
  );
  await expectConserved(company);
});

test("several notes are allocated to one refund of a gateway; a void gives the pool of an invoice its money", async () => {
  const seller = await openSeller();
  const { company } = seller;
  const sale = await soldOrder(seller);
  await sale.console(80);
  for (const amount of [50, 50]) await sale.note(amount);
  const other = await soldInvoice(seller);
  must(await voidInvoice(company, other.invoiceId), 200);
  const ofOrder = (move: string) => `order:${sale.id}: ${move}`;
  expect(await movesOf(company)).toEqual([
    ofOrder("capture 1 > pool 10000"),
    "invoice:2: capture 2 > pool 35400",
    ofOrder("pool > invoice 1 10000"),
    "invoice:2: pool > invoice 2 35400",
    "invoice:2: invoice 2 > pool 35400 back",
    ofOrder("note 1 > to_allocate 3000"),
    ofOrder("note 2 > to_allocate 5000"),
    ofOrder("to_allocate > refund 1 8000"),
    ofOrder("refund 1 > payer 8000"),
  ]);
  await expectConserved(company);
});

test("a lesson has a receipt, which ends: what waits is allocated to what its gateway gave back, the rest is settled, and reopened", async () => {
  const lessons = await openLessons();
  const { company, connected } = lessons;
  await setRules(company, { issue_invoices: false });
  const sale = await lessons.sold();
  const payment_id = sale.payments[0]?.payment;
  const failed = { id: "rfnd_Failed", payment_id, amount: 1_000, status: "failed" };
  must(await deliver(company, connected, refundEvent(failed, "refund.failed")), 200);
  const made = await sale.console(30);
  await sale.cancel();
  must(await sale.patch({ payment_status: "refunded" }), 200);
  await sale.console(45);
  await endAtGateway({ company }, made.id, "failed");
  expect((await movesOf(company)).map((move) => move.replace(`booking:${sale.id}: `, ""))).toEqual([
    "pool > to_allocate 3000",
    "to_allocate > pool 3000 back",
    "pool > settled 3 4500",
    "settled 4 > pool 4500",
    "capture 1 > pool 7500",
    "pool > receipt 1 7500",
    "receipt 1 > pool 7500 back",
    "to_allocate > refund 1 1000",
    "refund 1 > to_allocate 1000 back",
    "to_allocate > refund 2 3000",
    "refund 2 > to_allocate 3000 back",
    "refund 2 > payer 3000",
    "payer > refund 2 3000 back",
    "pool > refund 3 4500",
    "refund 3 > payer 4500",
  ]);
  await expectConserved(company);
});

test("a lesson that is paid by hand has a receipt by hand", async () => {
  const { company, unpaid } = await openLessons();
  await setRules(company, { issue_invoices: false });
  const { id } = await unpaid();
  const mark = async (body: object) => must(await staffPatch(company, id, body), 200);
  await mark({ status: "confirmed", payment_status: "paid", payment_mode_id: 1 });
  must(await company.call("POST", `${STAFF_BOOKINGS}/${id}/cancel`, { body: {} }), 200);
  await mark({ payment_status: "refunded" });
  expect(await movesOf(company)).toEqual([
    `booking:${id}: hand > receipt 1 7500`,
    `booking:${id}: receipt 1 > hand 7500 back`,
  ]);
  await expectConserved(company);
});

test("what another account reports waits alone until its own does; what it rises by comes too, and a fee", async () => {
  const { company, connected } = await openShop();
  const other = await connectGateway(company, "razorpay");
  const placed = await placeOrder(company);
  const id = "pay_Found";
  must(await deliver(company, other, captured(placed, { id })), 200);
  expect(await movesOf(company)).toEqual(["capture:1: capture 1 > pool 10000"]);
  await expectConserved(company);
  for (const amount of [10_000, 10_500])
    must(await deliver(company, connected, captured(placed, { id, amount })), 200);
  const next = await placeOrder(company);
  must(await deliver(company, connected, captured(next, { amount: 10_354 })), 200);
  const [first, second] = [placed, next].map(({ order_id }) => `order:${order_id}`);
  expect(await movesOf(company)).toEqual([
    `${second}: pool > fee 3 354`,
    "capture:1: capture 1 > pool 10000",
    `${first}: capture 1 > pool 500`,
    `${first}: capture 1 > pool 10000`,
    "capture:1: pool > capture 1 10000",
    `${second}: capture 2 > pool 10354`,
    `${first}: pool > invoice 1 10000`,
    `${second}: pool > invoice 2 10000`,
  ]);
  await expectConserved(company);
});
