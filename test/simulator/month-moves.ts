import { BANK, CASH } from "../features/money.ts";
import { STAFF_BOOKINGS, STUDENT } from "../features/school.ts";
import { gatewayOrderOf, placeOrder } from "../features/storefront/shop.ts";
import { must } from "../support/company.ts";
import { play } from "../support/gateways.ts";
import type { Draw } from "./draw.ts";
import type { Month } from "./month.ts";
import { addDays, daysFrom, negated, type Paper } from "./month-model.ts";
import { inRupees, onTop, sumsOf } from "./paper-model.ts";
import type { Asked, Moves } from "./world.ts";

const LEDGER = "/ledger/:company";
const INVOICES = "/invoices/:company";
const NOTES = "/credit-notes/:company";
const PAYMENTS = "/payments/:company";
const DEBTORS = "Sundry Debtors";
const SETTLEMENTS = `${LEDGER}/settlements`;
const CLEARING = "Razorpay Clearing";
const MODES = { Cash: CASH, Bank: BANK };
const rupees = (paise: number) => Math.round(paise) / 100;
const money = (draw: Draw) => draw.one(["Cash", "Bank"] as const);
const made = ["201"];

const ALL: Moves<Month> = {
  "write by hand": { weight: 5, answers: made, act: writeByHand },
  "take back": { weight: 8, act: takeBack },
};
const INVOICED: Moves<Month> = {
  invoice: { weight: 6, answers: made, act: invoice },
  pay: { weight: 5, answers: made, act: pay },
  credit: { weight: 3, answers: made, act: credit },
  "give back": { weight: 3, answers: made, act: giveBack },
};
const ORDERS: Moves<Month> = {
  order: { weight: 4, act: order },
  payout: { weight: 2, answers: made, act: payout },
};
const LESSONS: Moves<Month> = {
  lesson: { weight: 6, act: lesson },
  "take a lesson back": { weight: 2, act: takeLessonBack },
};
export const SHOP = { ...ALL, ...INVOICED, ...ORDERS };
export const SCHOOL_IN_INDIA = { ...ALL, ...INVOICED, ...LESSONS };
export const SCHOOL_IN_SYDNEY = { ...ALL, ...LESSONS };

/** An expense with input tax, or money that the owner pays in. */
function writeByHand(world: Month, draw: Draw): Asked {
  const [day, cost, from] = [world.day(draw), draw.from(100, 900_000), money(draw)];
  const id = (name: string) => world.given.idOf.get(name);
  const undoing = `${LEDGER}/journal-entries/{id}/reverse`;
  if (draw.oneIn(2)) {
    const { body: tax, adds, tax: taxed } = world.input(draw.below(cost / 10));
    const accounts = { expense_account_id: id("Rent"), from_account_id: id(from) };
    const body = { paid_on: day, amount: rupees(cost), ...tax, ...accounts };
    const paper = { day, adds: { Rent: cost, ...adds, [from]: -cost - taxed } };
    return world.making(`${LEDGER}/expenses`, body, paper, undoing);
  }
  const lines = [
    { account_id: id("Bank"), debit: rupees(cost) },
    { account_code: "3000", credit: rupees(cost) },
  ];
  const body = { entry_date: day, narration: "The owner pays in", lines };
  const paper = { day, adds: { Bank: cost, Capital: -cost } };
  return world.making(`${LEDGER}/journal-entries`, body, paper, undoing);
}

/** Takes something back: today, or on a day that staff ask for, which may be closed by now. */
function takeBack(
  { books, today, mistakes, lockedThrough, asksForItsDay }: Month,
  draw: Draw,
): Asked | undefined {
  const found = draw.one(mistakes.filter(({ paper }) => !paper.undone && !books.isHeld(paper)));
  if (found === undefined) return undefined;
  const { paper, path } = found;
  const other = draw.oneIn(3) ? undefined : addDays(paper.day, draw.below(daysFrom(paper.day, today) + 1));
  const day = asksForItsDay ? paper.day : other;
  const hasBody = path.endsWith("/reverse");
  return {
    path: !hasBody && day ? `${path}?reversal_date=${day}` : path,
    ...(hasBody && { body: day ? { reversal_date: day } : {} }),
    predicts: async () => {
      if (path.endsWith("/void") && paper.day <= lockedThrough) return "409 period_locked";
      if (day !== undefined && day <= lockedThrough) return "422 period_locked";
      return path.includes("/journal-entries/") ? "201" : "200";
    },
    told: () => books.undo(paper, day ?? today),
  };
}

function invoice(world: Month, draw: Draw): Asked {
  const isNear = draw.oneIn(2);
  const customer = isNear ? world.given.near : world.given.far;
  const day = world.day(draw);
  const dueDay = addDays(day, draw.below(20));
  const items = Array.from({ length: draw.from(1, 3) }, () => ({
    ...{ item_name: "Bolt", unit: "NOS", quantity: draw.from(1, 9) },
    ...{ unit_price: rupees(draw.from(1, 900_000)), tax_rate: draw.one([0, 5, 18] as const) },
  }));
  const lines = items.map(({ quantity, unit_price: price, tax_rate: rate }) =>
    onTop(BigInt(Math.round(quantity * price * 100)), rate * 1_000, isNear ? "halves" : "one head"),
  );
  const adds = world.sold(lines, inRupees(sumsOf(lines).exact_total), "Sales");
  const body = { customer_id: customer, invoice_date: day, due_date: dueDay, items };
  const paper: Paper = { kind: "invoice", day, adds, customer, dueDay };
  return world.making(INVOICES, body, paper, `${INVOICES}/{id}/void`);
}

function pay(world: Month, draw: Draw): Asked | undefined {
  const { books } = world;
  const of = draw.one(books.invoices((each) => books.due(each) > 0));
  if (of === undefined) return undefined;
  const [amount, day, into] = [draw.from(1, books.due(of)), world.day(draw, of.day), money(draw)];
  const paid = { amount: rupees(amount), payment_date: day, payment_mode_id: MODES[into] };
  const paper = { day, of, adds: { [into]: amount, [DEBTORS]: -amount } };
  return world.making(PAYMENTS, { ...paid, invoice_id: of.id }, paper, `${PAYMENTS}/{id}/refund`);
}

/** Credits all of an invoice. */
function credit(world: Month, draw: Draw): Asked | undefined {
  const { books } = world;
  const of = draw.one(books.invoices((each) => each.id !== undefined && !books.noteOf(each)));
  if (of === undefined) return undefined;
  const day = world.day(draw, of.day);
  const body = { reason: "correction", note_date: day };
  const paper: Paper = { kind: "credit note", day, of, adds: negated(of.adds) };
  return world.making(`${INVOICES}/${of.id}/credit-notes`, body, paper, `${NOTES}/{id}/void`);
}

/** Gives credit of a note back in money. */
function giveBack(world: Month, draw: Draw): Asked | undefined {
  const { books } = world;
  const invoice = draw.one(books.invoices((each) => each.id !== undefined && books.due(each) < 0));
  const of = invoice && books.noteOf(invoice);
  if (invoice === undefined || of === undefined) return undefined;
  const [amount, day] = [draw.from(1, -books.due(invoice)), world.day(draw, of.day)];
  const body = { amount: rupees(amount), payout_date: day, payment_mode_id: BANK };
  const paper = { day, of, adds: { [DEBTORS]: amount, Bank: -amount } };
  const path = `${NOTES}/${of.id}/payouts`;
  return world.making(path, body, paper, `${path}/{id}/reverse`);
}

async function order(world: Month, draw: Draw): Promise<void> {
  const { company, given, atGateway } = world;
  const quantity = draw.from(1, 3);
  const items = [{ name: "x", quantity, unit_price: 1, product_id: Number(given.goodId) }];
  await play(company, "razorpay", gatewayOrderOf(await placeOrder(company, { items })), "paid");
  await world.enterPaid(quantity, "Sales", CLEARING);
  const [capture] = await company.read<{ id: string }[]>(`${LEDGER}/captures?limit=1`);
  atGateway.push({ id: String(capture?.id), amount: quantity * given.price });
}

/** Records that all that waits at the gateway came to the bank, less a fee and its tax. */
function payout(world: Month): Asked | undefined {
  const { atGateway, today: day } = world;
  const inIt = atGateway.filter(({ payout: before }) => before === undefined || before.undone);
  const gross = inIt.reduce((sum, { amount }) => sum + amount, 0);
  if (gross === 0) return undefined;
  const fee = Math.floor(gross / 50);
  const input = world.input(Math.floor(fee / 11), "fee_");
  const net = gross - fee - input.tax;
  const paper = {
    day,
    adds: { Bank: net, "Payment Gateway Charges": fee, ...input.adds, [CLEARING]: -gross },
  };
  for (const one of inIt) one.payout = paper;
  const body = {
    ...{ gateway: "razorpay", settled_on: day, payout_reference: `payout ${world.moved}` },
    ...{ net_amount: rupees(net), fee_amount: rupees(fee), ...input.body },
    captures: inIt.map(({ id }) => id),
  };
  return world.making(SETTLEMENTS, body, paper, `${SETTLEMENTS}/{source_id}/reverse`);
}

/** Sells a lesson of the next days, which is paid at once. */
async function lesson(world: Month, draw: Draw): Promise<void> {
  const { instructorId, courseId } = world.given;
  const [day, hour, into] = [addDays(world.today, draw.from(1, 3)), draw.below(10), money(draw)];
  const slot = { booking_date: day, start_time: `0${hour}:00` };
  const start = `${day} ${slot.start_time}`;
  if (world.lessons.some((one) => one.start === start)) return;
  const sold = { customer: STUDENT, instructor_id: instructorId, product_id: courseId, ...slot };
  const paid = { status: "confirmed", payment_status: "paid", payment_mode_id: MODES[into], force: true };
  const { id } = await world.company.make<{ id: string }>(STAFF_BOOKINGS, { ...sold, ...paid });
  const sale = await world.enterPaid(1, "Unearned Lesson Income", into);
  world.lessons.push({ id, sale, start, isEarned: false });
}

/** Cancels a lesson to come and gives the money back: its papers are taken back today. */
async function takeLessonBack({ company, books, today, lessons }: Month, draw: Draw): Promise<void> {
  const found = draw.one(lessons.filter(({ start, sale }) => start > `${today} 24` && !sale.undone));
  if (found === undefined) return;
  const path = `${STAFF_BOOKINGS}/${found.id}`;
  must(await company.call("POST", `${path}/cancel`, { body: { force: true } }), 200);
  await company.change(path, { payment_status: "refunded" });
  books.undo(found.sale, today);
}
