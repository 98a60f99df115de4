import { API_VERSION } from "#shared/version.ts";
import type { EventTypeName } from "./types.ts";

type Members = Record<string, unknown>;
type Shown = { data?: Members; previous?: Members; related?: Members };

const was = (status: string, now?: string, more: Members = {}): Shown => ({
  ...(now === undefined ? {} : { data: { status: now, ...more } }),
  previous: { status },
});
const owed = (before: string, now: string, amount_paid: number, amount_due: number): Shown => ({
  data: { payment_status: now, amount_paid, amount_due },
  previous: { payment_status: before },
});
const paidFor = (before: string, now: string, more: Members = {}): Shown => ({
  data: { payment_status: now, ...more },
  previous: { payment_status: before },
});
const LATER = "2026-11-21T10:15:00.000Z";
const DRAFT = { status: "draft", payment_status: "unpaid", reviewed_at: null };
const REVIEW = { needs_review: true, review_code: "tax_amount_implausible" };
const CONFIRMED = { status: "confirmed", hold_expires_at: null };
const BEGUN = { ...CONFIRMED, payment_status: "paid" };

/** What the example of a type has otherwise than its record's own: what the change was, as its trigger tells of it. */
const SHOWN: Partial<Record<EventTypeName, Shown>> = {
  "product.updated": was("active"),
  "stock.adjusted": { data: { current_stock: 52 }, related: { movement_id: "18" } },
  "stock.low": { data: { current_stock: 5, low_stock_threshold: 5 } },
  "stock.moved": { data: { current_stock: 37 }, related: { movement_id: "19" } },
  "invoice.sent": was("draft", "sent", { sent_at: LATER }),
  "invoice.voided": was("draft", "voided", { voided_at: LATER }),
  "invoice.paid": owed("unpaid", "paid", 354, 0),
  "invoice.partly_paid": owed("unpaid", "partial", 100, 254),
  "invoice.reopened": owed("paid", "unpaid", 0, 354),
  "invoice.overdue": { data: { is_overdue: true, invoice_date: "2026-11-01", due_date: "2026-11-20" } },
  "payment.recorded": { related: { invoice_id: "7" } },
  "payment.refunded": { related: { invoice_id: "7" } },
  "order.created": { data: DRAFT },
  "order.paid": was("draft", "invoiced"),
  "order.cancelled": was("draft", "cancelled"),
  "order.review_needed": {
    data: { ...DRAFT, ...REVIEW, payment_status: "review", paid_at: LATER },
    previous: { payment_status: "unpaid" },
  },
  "order.refund_needed": { data: { needs_refund: true }, previous: { payment_status: "paid" } },
  "booking.requested": { data: { hold_expires_at: null, payments: [] } },
  "booking.confirmed": was("pending", "confirmed"),
  "booking.moved": {
    data: CONFIRMED,
    previous: { booking_date: "2026-11-30", start_time: "09:00", end_time: "10:00", instructor_id: 2 },
  },
  "booking.cancelled": was("confirmed", "cancelled", { hold_expires_at: null }),
  "booking.expired": was("pending", "expired"),
  "booking.completed": was("confirmed", "completed", { payment_status: "paid", hold_expires_at: null }),
  "booking.no_show": was("confirmed", "no_show", { payment_status: "paid", hold_expires_at: null }),
  "booking.paid": paidFor("unpaid", "paid", BEGUN),
  "booking.refund_due": paidFor("paid", "refund_due", { status: "cancelled", hold_expires_at: null }),
  "booking.refunded": paidFor("refund_due", "refunded", { status: "cancelled", hold_expires_at: null }),
  "booking.review_needed": {
    data: { ...CONFIRMED, needs_review: true },
    previous: { payment_status: "unpaid" },
  },
  "package.updated": was("active"),
  "package.cancelled": was("active", "cancelled"),
  "message.status_changed": was("submitted", "delivered"),
  "message.failed": was("submitted", "failed", {
    error: { code: "invalid_recipient", message: "The number is not in use", provider_code: "21211" },
  }),
  "provider.unhealthy": {
    data: {
      status: "paused",
      paused_at: LATER,
      last_error: {
        code: "authentication_failed",
        message: "The provider refuses the credentials",
        provider_code: "201",
        at: LATER,
      },
    },
  },
  "lead.repeated": { data: { submission_count: 2, last_submitted_at: LATER }, previous: { status: "new" } },
  "lead.closed": was("new", "converted"),
  "application.moved": was("received", "interview"),
  "job.closed": was("open", "closed"),
  "work_item.updated": { previous: { state: "New", state_category: "proposed" } },
  "work_item.transitioned": {
    data: { state: "In progress" },
    previous: { state: "New", state_category: "proposed" },
  },
  "work_item.commented": { related: { work_item_id: 42 } },
  "sprint.started": was("planned", "active"),
  "sprint.completed": was("active", "completed"),
  "milestone.changed": was("pending", "completed"),
};

/** An event of a type as an example: of these examples of its record it has the one that fits best. */
export function exampleEvent(type: EventTypeName, records: readonly Members[]) {
  const { data: shown = {}, previous = null, related = null } = SHOWN[type] ?? {};
  const matching = (record: Members) =>
    Object.entries(shown).filter(([member, value]) => record[member] === value).length;
  const [best = {}] = records.toSorted((one, other) => matching(other) - matching(one));
  return {
    id: "evt_0f3a9c1b7d5e2846a0b1c2d3",
    type,
    sequence: 4_711,
    created_at: LATER,
    company: "demo-traders",
    api_version: API_VERSION,
    actor: { type: "secret", id: "ck_8aB3cD5eF7a1B2c3D4e5F6", name: "Back office" },
    request_id: "req_01JD7ZK3V8QW9XY2ABCDEFGHJK",
    data: { ...best, ...shown },
    previous,
    related,
    data_omitted: false,
  };
}
