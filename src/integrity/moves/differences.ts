import { sum } from "#shared/money/shares.ts";
import { type Move, net } from "#shared/moves/move.ts";
import {
  bookingShows,
  captureShows,
  creditNoteShows,
  invoiceShows,
  orderShows,
} from "#shared/moves/shown.ts";
import { type SaleState, stateOf } from "#shared/moves/state-of.ts";
import { partsToAllocate } from "#shared/moves/to-allocate.ts";
import { moveOf, type Row, type Rows } from "./compared.ts";

/** Where a record shows another thing than its moves come to. `name`: the one of decision 41 that it is. */
export type Difference = {
  record: string;
  member: string;
  shown: unknown;
  byMoves: unknown;
  name: Name | null;
};
type Name = "which of two payments is due back" | "a review with nothing to review";

/** Where the records of a company show another thing than its moves come to. */
export function differencesIn(rows: Rows): Difference[] {
  const known = knownOf(rows);
  const compared = (kind: string, row: Row, byMoves: Row) =>
    Object.entries(byMoves).flatMap(([member, value]) => {
      const shown = row[member];
      const found = { record: `${kind} ${row.id}`, member, shown, byMoves: value };
      return shown === value ? [] : [{ ...found, name: nameOf(known, kind, row, member) }];
    });
  return [
    ...rows.captures.flatMap((row) => compared("capture", row, ofCapture(known, row))),
    ...rows.refunds.flatMap((row) => compared("refund", row, ofRefund(known, row))),
    ...rows.invoices.flatMap((row) => compared("invoice", row, ofInvoice(known, row))),
    ...rows.notes.flatMap((row) => compared("credit note", row, ofNote(known, row))),
    ...rows.orders.flatMap((row) => compared("order", row, ofOrder(known, row))),
    ...rows.bookings.flatMap((row) => compared("booking", row, ofBooking(known, row))),
  ];
}

type Known = ReturnType<typeof knownOf>;

/** The moves of a company by their documents, and what its sales come to. */
function knownOf(rows: Rows) {
  const { notes, refunds } = rows;
  const all = rows.moves.map(moveOf);
  const ends = all.flatMap((move) =>
    [move.from, move.to].map(({ kind, id }) => ({ end: `${kind}:${id}`, move })),
  );
  const bySale = [...Map.groupBy(all, ({ sale }) => sale)];
  const states = new Map(bySale.map(([sale, own]) => [sale, stateOf(own)] as const));
  const sales = [...states.values()];
  return {
    rows,
    sales,
    states,
    ofEnd: Map.groupBy(ends, ({ end }) => end),
    captures: Map.groupBy(
      sales.flatMap(({ captures }) => captures),
      ({ id }) => id,
    ),
    refunds: new Map(sales.flatMap((state) => state.refunds.map((refund) => [refund.id, refund] as const))),
    parts: Map.groupBy(sales.flatMap(partsToAllocate), ({ document }) => document),
    notesOf: Map.groupBy(
      notes.filter(({ status }) => status === "issued"),
      (note) => note.invoice_id,
    ),
    reviewed: new Set(refunds.filter((refund) => refund.reviewed_at !== null).map(({ id }) => String(id))),
  };
}

const NOTHING = stateOf([]);

function movesOf({ ofEnd }: Known, kind: string, id: unknown): Move[] {
  return (ofEnd.get(`${kind}:${id}`) ?? []).map(({ move }) => move);
}

/** Of a payment whose order became known later, what was used before is of the sale that it had. */
function ofCapture({ captures }: Known, { id }: Row): Row {
  const all: Row[] = (captures.get(Number(id)) ?? []).map(captureShows);
  const last = all.at(-1) ?? { amount: 0 };
  const added = Object.keys(last).filter((member) => member !== "state");
  const sums = added.map((member) => [member, sum(all.map((one) => Number(one[member])))]);
  return { ...last, ...Object.fromEntries(sums) };
}

function ofRefund({ refunds }: Known, { id, reviewed_at: reviewedAt }: Row): Row {
  const toAllocate = refunds.get(String(id))?.toAllocate ?? 0;
  return { needs_review: Number(toAllocate > 0 && reviewedAt === null) };
}

function ofInvoice(known: Known, { id, status, total_amount: total }: Row): Row {
  const issued = { total: Number(total), isVoided: status === "voided" };
  return invoiceShows(issued, movesOf(known, "invoice", id), known.parts.get(`invoice:${id}`) ?? []);
}

function ofNote(known: Known, { id, status, total_amount: total }: Row) {
  return creditNoteShows({ total: Number(total), isVoided: status === "voided" }, movesOf(known, "note", id));
}

function ofOrder(known: Known, row: Row): Row {
  const state = known.states.get(`order:${row.id}`) ?? NOTHING;
  const fees = sum(state.captures.map(({ fee }) => fee));
  const facts = {
    isInvoiced: row.status === "invoiced",
    isInReview: row.payment_status === "review",
    reviewCode: row.review_code === "refunded_at_gateway" ? null : (row.review_code as string | null),
    surplus: Math.max(0, Number(row.overcaptured_amount) - fees),
    credit: creditOf(known, row.invoice_id),
    hasRefundToReview: hasRefundToReview(known, state, Number(row.reviewed_at)),
  };
  const shown = orderShows(facts, state);
  return { ...shown, needs_refund: Number(shown.needs_refund) };
}

/** Unused credit of an invoice that a gateway paid, which no gateway gave back by itself. */
function creditOf(known: Known, invoice: unknown): number {
  const isPaidSo = net(movesOf(known, "invoice", invoice), ["pool"], ["invoice"]) > 0;
  const notes = known.notesOf.get(invoice) ?? [];
  const unused = sum(notes.map((note) => ofNote(known, note).unapplied_amount));
  const toAllocate = sum((known.parts.get(`invoice:${invoice}`) ?? []).map(({ amount }) => amount));
  return isPaidSo ? Math.max(0, unused - toAllocate) : 0;
}

function hasRefundToReview({ reviewed }: Known, { refunds }: SaleState, since: number): boolean {
  return refunds.some(
    ({ id, toAllocate, createdAt }) => toAllocate > 0 && !reviewed.has(id) && createdAt > since,
  );
}

function ofBooking(known: Known, row: Row): Row {
  const state = known.states.get(`booking:${row.id}`) ?? NOTHING;
  const used = (known.notesOf.get(row.invoice_id) ?? []).flatMap((note) =>
    movesOf(known, "note", note.id).filter(({ from, to }) =>
      [from, to].some(
        (end) => end.kind === "payout" || (end.kind === "invoice" && end.id !== String(row.invoice_id)),
      ),
    ),
  );
  const facts = {
    paymentStatus: String(row.payment_status),
    isMoneyReviewed: row.money_review === 1,
    hasRefundToReview: hasRefundToReview(known, state, 0),
    usedCredit: net(used, ["note"], ["payout", "invoice"]),
    hasDocument: row.has_document === 1,
    backBefore: Number(row.refunded_amount),
  };
  const shown = bookingShows(facts, state);
  return { ...shown, money_review: Number(shown.money_review) };
}

/** The difference of decision 41 that one is. */
function nameOf({ sales, rows }: Known, kind: string, row: Row, member: string): Name | null {
  if (kind === "booking" && member === "money_review" && row.money_review === 1)
    return "a review with nothing to review";
  if (kind !== "capture" || !(member === "advance_amount" || member === "state")) return null;
  const sale = sales.find(({ captures }) => captures.some(({ id }) => id === Number(row.id)));
  const ids = new Set(sale?.captures.map(({ id }) => id));
  const shown = rows.captures
    .filter(({ id }) => ids.has(Number(id)))
    .map((one) => Number(one.advance_amount));
  const hasFailed = sale?.refunds.some(({ amount }) => amount === 0) === true;
  return hasFailed && sum(shown) === sale.pool ? "which of two payments is due back" : null;
}
