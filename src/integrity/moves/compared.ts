import type { Move } from "#shared/moves/move.ts";

const asked = (kind: string) =>
  `SELECT ref_id FROM payment_intents JOIN gateway_captures ON intent_id = payment_intents.id WHERE kind = '${kind}'`;

/** What the comparison of moves with what records show reads of a company's database, one SELECT for each kind of row. */
export const COMPARED = {
  moves: `SELECT key, sale, from_kind, iif(from_kind = 'to_allocate', refund, from_id) AS from_id,
      to_kind, iif(to_kind = 'to_allocate', refund, to_id) AS to_id, capture_id, amount, currency, takes_back, created_at
    FROM (SELECT *, CASE source_type WHEN 'gateway_refund' THEN source_id
      WHEN 'advance' THEN (SELECT refund_id FROM advances WHERE id = source_id) END AS refund FROM money_moves)`,
  captures: `SELECT id, amount, invoiced_amount, settled_amount, refunded_amount, advance_amount, state FROM gateway_captures`,
  refunds: `SELECT id, reviewed_at, source <> 'api' AND status IN ('pending', 'succeeded') AND credit_note_id IS NULL
      AND amount > advance_amount + covered_amount AND reviewed_at IS NULL AS needs_review FROM gateway_refunds`,
  invoices: `SELECT id, status, total_amount, amount_paid, tds_amount, amount_credited, amount_due, refunded_without_credit_note
    FROM invoices WHERE amount_due <> total_amount OR id IN (SELECT to_id FROM money_moves WHERE to_kind = 'invoice')`,
  notes: `SELECT id, invoice_id, status, total_amount, applied_amount, paid_out_amount, gateway_refunded_amount, unapplied_amount
    FROM credit_notes`,
  orders: `SELECT id, invoice_id, status, payment_status, reviewed_at, overcaptured_amount, refund_status, refunded_amount,
      needs_refund, review_code FROM sales_orders WHERE CAST(id AS TEXT) IN (${asked("order")})`,
  bookings: `SELECT bookings.id, sold.invoice_id, bookings.payment_status, needs_review, money_review, refund_status, bookings.refunded_amount,
      sold.id IS NOT NULL AND taxable_credited IS NOT taxable_total AS has_document
    FROM bookings LEFT JOIN lesson_sales AS sold ON sold.booking_id = bookings.id AND sold.ended_by IS NULL
    LEFT JOIN invoices ON invoices.id = sold.invoice_id WHERE bookings.id IN (${asked("booking")})`,
} as const;

/** A row as the database gives it. */
export type Row = Readonly<Record<string, unknown>>;
export type Rows = Readonly<Record<keyof typeof COMPARED, readonly Row[]>>;

/** What the SELECTs gave, in their order, by kind. */
export function rowsOf(results: readonly (readonly object[])[]): Rows {
  const kinds = Object.keys(COMPARED).map((kind, place) => [kind, results[place] ?? []]);
  return Object.fromEntries(kinds);
}

/** A row of `money_moves` as a move. */
export function moveOf(row: Row): Move {
  const end = (kind: unknown, id: unknown) => ({ kind, id: String(id ?? "") }) as Move["from"];
  return {
    key: String(row.key),
    sale: String(row.sale),
    from: end(row.from_kind, row.from_id),
    to: end(row.to_kind, row.to_id),
    captureId: numberOrNull(row.capture_id),
    amount: Number(row.amount),
    currency: String(row.currency),
    takesBack: row.takes_back === null ? null : String(row.takes_back),
    createdAt: numberOrNull(row.created_at),
  };
}

function numberOrNull(value: unknown): number | null {
  return value === null ? null : Number(value);
}
