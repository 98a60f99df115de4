import { expect } from "vitest";
import { getInvoice, type InvoiceRecord, newCustomer, newInvoice } from "../features/commerce.ts";
import { getNote } from "../features/credit-notes/notes.ts";
import { BANK, today } from "../features/money.ts";
import type { TestCompany } from "../support/company.ts";
import { type Asked as Credited, Credits, type Note } from "./credit-model.ts";
import { Draw } from "./draw.ts";
import { type Asked, type Moves, World } from "./world.ts";

const STEPS = 14;
const RATES = [0, 0.25, 5, 12, 18, 28];
const NOTES = "/credit-notes/:company";
const paise = (amount: number) => BigInt(Math.round(amount * 100));
const rupees = (amount: bigint) => Number(amount) / 100;

/** Two invoices of one customer, their notes, and the model that says what each call must come to. */
class Pair extends World {
  readonly model: Credits;
  readonly invoices: InvoiceRecord[];
  readonly noteIds = new Map<Note, string>();
  readonly payments: { id: string; place: number; amount: bigint }[] = [];

  constructor(company: TestCompany, seed: number, invoices: InvoiceRecord[]) {
    super(company, seed);
    this.invoices = invoices;
    const inPaise = invoices.map(({ items, round_off, total_amount }) => ({
      lines: items.map((line) => ({
        quantity: BigInt(Math.round(line.quantity * 1_000)),
        taxable: paise(line.taxable_value),
        heads: [paise(line.cgst_amount), paise(line.sgst_amount), paise(line.igst_amount)] as const,
      })),
      roundOff: paise(round_off),
      total: paise(total_amount),
      paid: 0n,
      isVoided: false,
    }));
    this.model = new Credits(inPaise);
  }

  id(place: number): string {
    return String(this.invoices[place]?.id);
  }
}

/** Each runs alone: its answer is the model's. */
const MOVES: Moves<Pair> = {
  credit: { weight: 5, act: onInvoice(credit) },
  "credit an amount": { weight: 2, act: onInvoice(creditAmount) },
  pay: {
    weight: 2,
    act: onInvoice(({ model, payments, invoices }, place, draw) => {
      const amount = BigInt(draw.from(1, 40_000));
      const isTooMuch = amount > model.due(place);
      if (!isTooMuch) model.invoice(place).paid += amount;
      const money = { amount: rupees(amount), payment_date: today(), payment_mode_id: BANK };
      const body = { invoice_id: invoices[place]?.id, ...money };
      return {
        ...{ path: "/payments/:company", body },
        predicts: async () => (isTooMuch ? "422" : "201"),
        told: (answer) => payments.push({ id: String(answer.body.data.id), place, amount }),
      };
    }),
  },
  refund: {
    weight: 1,
    act: ({ model, payments }, draw) => {
      const [payment] = payments.splice(draw.below(payments.length), 1);
      if (payment === undefined || model.invoice(payment.place).isVoided) return;
      model.invoice(payment.place).paid -= payment.amount;
      model.settle(payment.place);
      return { path: `/payments/:company/${payment.id}/refund`, predicts: async () => "200" };
    },
  },
  "void an invoice": {
    weight: 1,
    act: onInvoice((pair, place) => {
      const predicted = pair.model.voidInvoice(place) === "done" ? "200" : "409";
      return { path: `/invoices/:company/${pair.id(place)}/void`, predicts: async () => predicted };
    }),
  },
  "void a note": {
    weight: 1,
    act: onNote(({ model }, { note, place, path }) => {
      const predicted = model.void(place, note) === "done" ? "200" : "409";
      return { path: `${path}/void`, predicts: async () => predicted };
    }),
  },
  "pay out": {
    weight: 1,
    act: onNote((_, { note, path, amount, isEnough, refusal }) => {
      if (isEnough) note.paidOut += amount;
      const body = { amount: rupees(amount), payout_date: today(), payment_mode_id: BANK };
      return { path: `${path}/payouts`, body, predicts: async () => (isEnough ? "201" : refusal) };
    }),
  },
  apply: {
    weight: 1,
    act: onNote((pair, { note, place, path, amount, isEnough, refusal }) => {
      const other = 1 - place;
      if (pair.model.invoice(other).isVoided) return;
      const isDue = isEnough && amount <= pair.model.due(other);
      if (isDue) note.applied[other] = (note.applied[other] ?? 0n) + amount;
      const body = { invoice_id: pair.id(other), amount: rupees(amount) };
      return { path: `${path}/apply`, body, predicts: async () => (isDue ? "200" : refusal) };
    }),
  },
};

/** A random life of two invoices of one customer; each answer, and the records at the end, are those of the model. */
export async function liveThrough(company: TestCompany, seed: number): Promise<void> {
  const { id: customer } = await newCustomer(company);
  const draw = new Draw(seed);
  const invoices = [
    await newRandomInvoice(company, customer, draw),
    await newRandomInvoice(company, customer, draw),
  ];
  const pair = new Pair(company, seed, invoices);
  await pair.inRounds(MOVES, STEPS, 1);
  for (const place of invoices.keys()) await compare(pair, place);
}

function onInvoice(act: (pair: Pair, place: number, draw: Draw) => Asked | undefined) {
  return (pair: Pair, draw: Draw) => {
    const place = draw.below(2);
    return pair.model.invoice(place).isVoided ? undefined : act(pair, place, draw);
  };
}

type Chosen = { note: Note; place: number; path: string; amount: bigint; isEnough: boolean; refusal: string };

/** Of a note and an amount, and whether the note has so much left. */
function onNote(act: (pair: Pair, chosen: Chosen) => Asked | undefined) {
  return onInvoice((pair, place, draw) => {
    const note = draw.one(pair.model.notes[place] ?? []);
    if (note === undefined) return;
    const amount = BigInt(draw.from(1, 40_000));
    const isEnough = !note.isVoided && amount <= pair.model.unapplied(note);
    const path = `${NOTES}/${pair.noteIds.get(note)}`;
    return act(pair, { note, place, path, amount, isEnough, refusal: note.isVoided ? "409" : "422" });
  });
}

function credit({ model, invoices, noteIds }: Pair, place: number, draw: Draw): Asked | undefined {
  const withTax = !draw.oneIn(6);
  const asked = draw.oneIn(8) ? allLeft(model, place) : someLeft(model, place, draw);
  if (asked.length === 0) return undefined;
  const note = model.issue(place, asked, withTax);
  const items = asked.map(({ line, quantity, taxable = 0n }) => ({
    invoice_item_id: invoices[place]?.items[line]?.id,
    ...(quantity === undefined
      ? { taxable_amount: rupees(taxable) }
      : { quantity: Number(quantity) / 1_000 }),
  }));
  return {
    path: `/invoices/:company/${invoices[place]?.id}/credit-notes`,
    body: { with_tax: withTax, reason: "correction", items },
    predicts: async () => (note === "refused" ? "422" : "201"),
    told: ({ body }) => {
      if (note === "refused") return;
      expect(paise(Number(body.data.total_amount))).toBe(note.total);
      noteIds.set(note, String(body.data.id));
    },
  };
}

/** The model knows what may be given back, and of the spread values the tax; the rest is round-off, of a few paise. */
function creditAmount({ model, invoices, noteIds }: Pair, place: number, draw: Draw): Asked | undefined {
  const withTax = !draw.oneIn(4);
  const reach = model.reach(place, withTax);
  const amount = draw.oneIn(3) ? reach : BigInt(draw.from(1, Math.max(1, Number(reach) + 50)));
  const hasNegativeRest = !withTax && amount > reach && amount <= model.valueLeft(place);
  if (model.valueLeft(place) < 100n || reach < 1n || hasNegativeRest) return undefined;
  const { items: lines = [], round_off: roundOff } = invoices[place] ?? {};
  return {
    path: `/invoices/:company/${invoices[place]?.id}/credit-notes`,
    body: { with_tax: withTax, reason: "correction", gross_amount: rupees(amount) },
    predicts: async () => (amount > reach ? "422" : "201"),
    told: ({ body: { data } }) => {
      const values = (data.items as InvoiceRecord["items"]).map((item) => ({
        line: lines.findIndex(
          ({ id }) => id === String((item as { invoice_item_id?: string }).invoice_item_id),
        ),
        ...{ quantity: 0n, taxable: paise(item.taxable_value) },
      }));
      const note = model.issueOver(place, amount, values, withTax);
      expect(paise(Number(data.total_amount))).toBe(note.total);
      const rounded = withTax || model.valueLeft(place) === 0n ? Math.abs(Number(roundOff)) : 0;
      expect(Math.abs(Number(data.round_off))).toBeLessThanOrEqual(rounded + 0.05);
      noteIds.set(note, String(data.id));
    },
  };
}

async function compare({ company, model, noteIds, invoices }: Pair, place: number): Promise<void> {
  const read = await getInvoice(company, String(invoices[place]?.id));
  const credited = model.invoice(place).isVoided ? 0n : model.credited(place);
  expect([paise(read.amount_due), paise(read.amount_credited)]).toEqual([model.due(place), credited]);
  for (const note of model.notes[place] ?? []) {
    const found = await getNote(company, String(noteIds.get(note)));
    expect({
      heads: found.items.map((item) => [item.cgst_amount, item.sgst_amount, item.igst_amount].map(paise)),
      values: found.items.map((item) => paise(item.taxable_value)),
      sums: [found.round_off, found.total_amount, found.unapplied_amount, found.paid_out_amount].map(paise),
    }).toEqual({
      heads: note.items.map(({ heads }) => [...heads]),
      values: note.items.map(({ taxable }) => taxable),
      sums: [note.roundOff, note.total, model.unapplied(note), note.paidOut],
    });
  }
  const live = model.live(place);
  expect(model.uncredited(place) >= 0n).toBe(true);
  if (read.credit_status !== "full" || live.some(({ withTax }) => !withTax)) return;
  const total = live.reduce((all, note) => all + note.total, 0n);
  expect(total).toBe(model.invoice(place).total);
}

function newRandomInvoice(company: TestCompany, customer: string, draw: Draw): Promise<InvoiceRecord> {
  const items = Array.from({ length: draw.from(1, 3) }, () => {
    const [quantity, price] = [draw.from(1, 5_000), draw.from(1, 2_000_000)];
    return {
      item_name: "Bolt",
      unit: "NOS",
      quantity: quantity / 1_000,
      unit_price: price / 10_000,
      // At most half of the line, in paise.
      discount_amount: draw.oneIn(3) ? draw.from(0, Math.floor((quantity * price) / 200_000)) / 100 : 0,
      tax_rate: draw.one(RATES),
    };
  });
  const place = draw.oneIn(2) ? { place_of_supply: "27" } : {};
  return newInvoice(company, customer, { items, apply_round_off: !draw.oneIn(4), ...place });
}

/** What is credited without a body: each line that has a quantity and a value left. */
function allLeft(model: Credits, place: number): Credited[] {
  return model.invoice(place).lines.flatMap((_, line) => {
    const { quantity, taxable } = model.left(place, line);
    return quantity > 0n && taxable > 0n ? [{ line, quantity }] : [];
  });
}

function someLeft(model: Credits, place: number, draw: Draw): Credited[] {
  return model.invoice(place).lines.flatMap((_, line): Credited[] => {
    const { quantity, taxable } = model.left(place, line);
    const upTo = (left: bigint) => BigInt(draw.from(1, Number(left) + 1));
    if (draw.oneIn(3)) return [];
    if (draw.oneIn(2)) return quantity > 0n ? [{ line, quantity: upTo(quantity) }] : [];
    return taxable > 0n ? [{ line, taxable: upTo(taxable) }] : [];
  });
}
