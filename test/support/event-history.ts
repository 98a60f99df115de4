import { expect } from "vitest";
import type { TestCompany } from "./company.ts";

type Change = { type: string; previous: Record<string, unknown> };
type Record_ = { id: string; status: string; payment_status: string };

/** What each type says that a record's status is from then on. */
const STATUS: Record<string, string> = {
  ...{ "booking.held": "pending", "booking.requested": "pending", "booking.confirmed": "confirmed" },
  ...{ "booking.cancelled": "cancelled", "booking.expired": "expired" },
  ...{ "booking.completed": "completed", "booking.no_show": "no_show" },
  ...{ "invoice.created": "draft", "invoice.sent": "sent", "invoice.voided": "voided" },
  ...{ "order.created": "draft", "order.paid": "invoiced", "order.cancelled": "cancelled" },
};
/** The same of the payment status, where every change has an event. */
const PAYMENT: Record<string, string> = {
  ...{ "booking.paid": "paid", "booking.refund_due": "refund_due", "booking.refunded": "refunded" },
  "booking.unpaid": "unpaid",
  ...{ "invoice.paid": "paid", "invoice.partly_paid": "partial" },
};
const TABLES = { booking: "bookings", invoice: "invoices", order: "sales_orders" };

/**
 * Checks that events give the whole history of bookings, invoices and orders: one beginning each, every step from where
 * the one before led, and the last one to what the record is now. A missing or a repeated one breaks the chain.
 */
export async function expectEventHistory(company: TestCompany): Promise<void> {
  const database = company.database();
  for (const [resource, table] of Object.entries(TABLES)) {
    // In one transaction, for the clock may write between two.
    const [records, history] = await database.batch(
      [
        `SELECT id, status, payment_status FROM ${table}`,
        {
          sql: "SELECT record_id, type, previous FROM events WHERE resource = ? ORDER BY sequence",
          args: [resource],
        },
      ],
      "read",
    );
    for (const row of (records?.rows ?? []) as unknown as Record_[]) {
      const events = (history?.rows ?? [])
        .filter(({ record_id: id }) => id === String(row.id))
        .map(({ type, previous }) => ({ type: String(type), previous: JSON.parse(String(previous)) ?? {} }));
      expect(endOf(events, row), `${resource} ${row.id}: ${events.map(({ type }) => type)}`).toBe("as it is");
    }
  }
}

function endOf(events: readonly Change[], row: Record_): string {
  let [status, payment]: (string | undefined)[] = [];
  for (const [index, { type, previous }] of events.entries()) {
    const isBeginning = previous.status === undefined && STATUS[type] !== undefined;
    if (isBeginning !== (index === 0)) return `${type} begins it or not`;
    if (!isBeginning && "status" in previous && previous.status !== status) return `${type} after ${status}`;
    if (PAYMENT[type] !== undefined && payment !== undefined && previous.payment_status === PAYMENT[type])
      return `${type} twice`;
    status = STATUS[type] ?? status;
    payment = PAYMENT[type] ?? (type === "invoice.reopened" ? undefined : payment);
  }
  if (status !== row.status) return `${status} in the end`;
  const isPaid = row.payment_status === "paid" && row.status !== "voided";
  return payment === "paid" && !isPaid && row.status !== "voided" ? `${payment} in the end` : "as it is";
}
