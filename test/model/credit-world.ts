import { expect } from "vitest";
import { getInvoice, type InvoiceRecord, newCustomer, newInvoice } from "../features/commerce.ts";
import { applyNote, getNote, payOut, postNote, voidNote } from "../features/credit-notes/notes.ts";
import { postPayment, refund, today, voidInvoice } from "../features/money.ts";
import type { TestCompany } from "../support/company.ts";
import { must } from "../support/company.ts";
import { type Asked, Credits, type Note } from "./credit-model.ts";

const STEPS = 14;
const RATES = [0, 0.25, 5, 12, 18, 28];
const paise = (amount: number) => BigInt(Math.round(amount * 100));
const rupees = (amount: bigint) => Number(amount) / 100;

/** Numbers from a seed, so that a failing run can be repeated. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A random life of two invoices of one customer; each answer, and the records at the end, are those of the model. */
export async function liveThrough(company: TestCompany, seed: number): Promise<void> {
  const random = randomFrom(seed);
  const { id: customer } = await newCustomer(company);
  const made = [
    await newRandomInvoice(company, customer, random),
    await newRandomInvoice(company, customer, random),
  ];
  const model = new Credits(
    made.map(({ items, round_off: roundOff, total_amount: total }) => ({
      lines: items.map((line) => ({
        quantity: BigInt(Math.round(line.quantity * 1_000)),
        taxable: paise(line.taxable_value),
        heads: [paise(line.cgst_amount), paise(line.sgst_amount), paise(line.igst_amount)],
      })),
      roundOff: paise(roundOff),
      total: paise(total),
      paid: 0n,
      isVoided: false,
    })),
  );
  const ids = new Map<Note, string>();
  const payments: { id: string; place: number; amount: bigint }[] = [];
  for (let step = 0; step < STEPS; step++) {
    const place = random(2);
    const invoice = made[place];
    if (invoice === undefined || model.invoice(place).isVoided) continue;
    const notes = model.notes[place] ?? [];
    const note = notes[random(notes.length || 1)];
    const [amount, due] = [BigInt(1 + random(40_000)), model.due(place)];
    const move = random(12);
    if (move < 5) {
      const withTax = random(6) > 0;
      const asked = random(8) === 0 ? allLeft(model, place) : someLeft(model, place, random);
      if (asked.length === 0) continue;
      const expected = model.issue(place, asked, withTax);
      const body = {
        with_tax: withTax,
        reason: "correction",
        items: asked.map((one) => onWire(one, invoice)),
      };
      const answer = await postNote(company, invoice.id, body);
      if (expected === "refused") expect(answer.status).toBe(422);
      else {
        const { data } = must(answer, 201).body;
        expect(paise(data.total_amount)).toBe(expected.total);
        ids.set(expected, data.id);
      }
    } else if (move < 7) {
      const answer = await postPayment(company, { invoice_id: invoice.id, amount: rupees(amount) });
      expect(answer.status).toBe(amount > due ? 422 : 201);
      if (amount > due) continue;
      model.invoice(place).paid += amount;
      payments.push({ id: answer.body.data.id, place, amount });
    } else if (move === 7 && payments.length > 0) {
      const [payment] = payments.splice(random(payments.length), 1);
      if (payment === undefined || model.invoice(payment.place).isVoided) continue;
      must(await refund(company, payment.id), 200);
      model.invoice(payment.place).paid -= payment.amount;
      model.settle(payment.place);
    } else if (move === 8) {
      const { status } = await voidInvoice(company, invoice.id);
      expect(status).toBe(model.voidInvoice(place) === "done" ? 200 : 409);
    } else if (note !== undefined) {
      const id = String(ids.get(note));
      const isEnough = !note.isVoided && amount <= model.unapplied(note);
      const refusal = note.isVoided ? 409 : 422;
      if (move === 9) {
        expect((await voidNote(company, id)).status).toBe(model.void(place, note) === "done" ? 200 : 409);
      } else if (move === 10) {
        const { status } = await payOut(company, id, { amount: rupees(amount), payout_date: today() });
        expect(status).toBe(isEnough ? 201 : refusal);
        if (isEnough) note.paidOut += amount;
      } else {
        const other = made[1 - place];
        if (other === undefined || model.invoice(1 - place).isVoided) continue;
        const isDue = isEnough && amount <= model.due(1 - place);
        expect((await applyNote(company, id, other.id, rupees(amount))).status).toBe(isDue ? 200 : refusal);
        if (isDue) note.applied[1 - place] = (note.applied[1 - place] ?? 0n) + amount;
      }
    }
  }
  for (const [place, { id }] of made.entries()) await compare(company, model, place, id, ids);
}

async function compare(
  company: TestCompany,
  model: Credits,
  place: number,
  id: string,
  ids: Map<Note, string>,
): Promise<void> {
  const read = await getInvoice(company, id);
  const credited = model.invoice(place).isVoided ? 0n : model.credited(place);
  expect([paise(read.amount_due), paise(read.amount_credited)]).toEqual([model.due(place), credited]);
  for (const note of model.notes[place] ?? []) {
    const found = await getNote(company, String(ids.get(note)));
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
  if (read.credit_status !== "full" || live.some(({ withTax }) => !withTax)) return;
  const total = live.reduce((all, note) => all + note.total, 0n);
  expect(total).toBe(model.invoice(place).total);
}

function newRandomInvoice(
  company: TestCompany,
  customer: string,
  random: (below: number) => number,
): Promise<InvoiceRecord> {
  const items = Array.from({ length: 1 + random(3) }, () => {
    const [quantity, price] = [1 + random(5_000), 1 + random(2_000_000)];
    return {
      item_name: "Bolt",
      unit: "NOS",
      quantity: quantity / 1_000,
      unit_price: price / 10_000,
      // At most half of the line, in paise.
      discount_amount: random(3) === 0 ? random(Math.floor((quantity * price) / 200_000) + 1) / 100 : 0,
      tax_rate: RATES[random(RATES.length)],
    };
  });
  return newInvoice(company, customer, {
    items,
    apply_round_off: random(4) > 0,
    ...(random(2) === 0 ? { place_of_supply: "27" } : {}),
  });
}

/** What is credited without a body: each line that has a quantity and a value left. */
function allLeft(model: Credits, place: number): Asked[] {
  return model.invoice(place).lines.flatMap((_, line) => {
    const { quantity, taxable } = model.left(place, line);
    return quantity > 0n && taxable > 0n ? [{ line, quantity }] : [];
  });
}

function someLeft(model: Credits, place: number, random: (below: number) => number): Asked[] {
  return model.invoice(place).lines.flatMap((_, line): Asked[] => {
    const { quantity, taxable } = model.left(place, line);
    if (random(3) === 0) return [];
    if (random(2) === 0)
      return quantity > 0n ? [{ line, quantity: 1n + BigInt(random(Number(quantity) + 1)) }] : [];
    return taxable > 0n ? [{ line, taxable: 1n + BigInt(random(Number(taxable) + 1)) }] : [];
  });
}

function onWire({ line, quantity, taxable }: Asked, { items }: InvoiceRecord) {
  const id = items[line]?.id;
  return quantity === undefined
    ? { invoice_item_id: id, taxable_amount: rupees(taxable ?? 0n) }
    : { invoice_item_id: id, quantity: Number(quantity) / 1_000 };
}
