import { API_VERSION } from "#shared/version.ts";
import type { EventTypeName } from "./types.ts";

type Members = Record<string, unknown>;
/** `by` is the callback or job of this service that did it; `at` is its moment, where no time in the record is. */
type Shown = { data?: Members; previous?: Members; related?: Members; by?: string; at?: string };

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
const PAID_AT = "2026-11-21T09:31:12.000Z";
const LESSON_GIVEN = "2026-12-01T01:05:00.000Z";
const NO_INVOICE = { invoice_id: null, invoice_number: null, invoice_url: null };
const DRAFT = { status: "draft", payment_status: "unpaid", paid_at: null, reviewed_at: null, ...NO_INVOICE };
const paidOnline = (amount: number, currency: string) => ({
  payments: [
    {
      ...{ gateway: "razorpay", status: "paid", amount, currency },
      ...{ gateway_order_id: "order_R1b2C3d4E5f6G7", gateway_payment_id: "pay_R1b2H8i9J0k1L2" },
      ...{ other_payment_ids: [], created_at: "2026-11-21T09:30:00.000Z", paid_at: PAID_AT },
    },
  ],
});
const REVIEW = { needs_review: true, review_code: "tax_amount_implausible" };
const CONFIRMED = { status: "confirmed", hold_expires_at: null };
const PAID = { ...paidOnline(75, "AUD"), hold_expires_at: null };
const GIVEN = { ...PAID, payment_status: "paid", updated_at: LESSON_GIVEN };

/** How the example of a type differs from its record's own: the change, as its trigger records it. */
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
  "invoice.overdue": {
    data: {
      ...{ is_overdue: true, invoice_date: "2026-11-01", due_date: "2026-11-20" },
      ...{ created_at: "2026-11-01T09:31:00.000Z", updated_at: "2026-11-01T09:31:00.000Z" },
    },
    by: "due",
    // Five minutes after midnight in India.
    at: "2026-11-20T18:35:00.000Z",
  },
  "payment.recorded": { related: { invoice_id: "7" } },
  "payment.refunded": { related: { invoice_id: "7" } },
  "order.created": { data: { ...DRAFT, updated_at: "2026-11-21T09:30:00.000Z" } },
  "order.paid": { ...was("draft", "invoiced"), by: "paymentEvent" },
  "order.cancelled": was("draft", "cancelled"),
  "order.review_needed": {
    data: { ...DRAFT, ...REVIEW, ...paidOnline(1_048, "INR"), payment_status: "review", paid_at: PAID_AT },
    previous: { payment_status: "unpaid" },
    by: "paymentEvent",
  },
  "order.refund_needed": { data: { needs_refund: true }, previous: { payment_status: "paid" } },
  "order.refunded": {
    data: { refund_status: "refunded", refunded_amount: 1_048 },
    previous: { refund_status: "none" },
  },
  "booking.requested": { data: { status: "pending", hold_expires_at: null, payments: [] } },
  "booking.confirmed": was("pending", "confirmed"),
  "booking.moved": {
    data: CONFIRMED,
    previous: { booking_date: "2026-11-30", start_time: "09:00", end_time: "10:00", instructor_id: 2 },
  },
  "booking.cancelled": was("confirmed", "cancelled", { hold_expires_at: null }),
  "booking.expired": {
    ...was("pending", "expired", { updated_at: "2026-11-21T09:45:20.000Z" }),
    by: "due",
  },
  "booking.completed": was("confirmed", "completed", GIVEN),
  "booking.no_show": was("confirmed", "no_show", GIVEN),
  "booking.paid": { ...paidFor("unpaid", "paid", { ...CONFIRMED, ...PAID }), by: "paymentEvent" },
  "booking.refund_due": paidFor("paid", "refund_due", { ...PAID, status: "cancelled", updated_at: LATER }),
  "booking.refunded": paidFor("refund_due", "refunded", { ...PAID, status: "cancelled", updated_at: LATER }),
  "booking.partly_refunded": {
    data: { ...CONFIRMED, ...PAID, refunded_amount: 100 },
    previous: { refunded_amount: 0 },
  },
  "booking.review_needed": {
    data: { ...CONFIRMED, ...PAID, needs_review: true },
    previous: { payment_status: "unpaid" },
    by: "paymentEvent",
  },
  "package.updated": was("active"),
  "package.cancelled": was("active", "cancelled"),
  "message.status_changed": { ...was("submitted", "delivered"), by: "smsEvent" },
  "message.failed": {
    ...was("submitted", "failed", {
      ...{ send_at: null, failed_at: LATER, provider_message_id: "3763646c3058373530393938" },
      error: { code: "invalid_recipient", message: "The number is not in use", provider_code: "21211" },
    }),
    by: "smsEvent",
  },
  "message.received": { by: "chatapp" },
  "provider.unhealthy": {
    by: "dispatch",
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
  "lead.repeated": {
    data: { submission_count: 2, last_submitted_at: "2026-11-22T06:40:00.000Z" },
    previous: { status: "new" },
  },
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
  "milestone.changed": was("pending", "completed", { updated_at: "2026-12-03T10:00:00.000Z" }),
};

const KEY = { type: "secret", id: "ck_8aB3cD5eF7a1B2c3D4e5F6", name: "Back office" };
const TIME = /"(\w+_at)":"([^"]+)"/g;
/** Times that a record has before they come. */
const AHEAD = ["send_at", "expires_at", "hold_expires_at", "closes_at"];

/** The last thing that had happened to a record, which is the moment of its event. */
function lastTimeIn(record: Members): string {
  const times = [...JSON.stringify(record).matchAll(TIME)];
  const past = times.filter(([, member = ""]) => !AHEAD.includes(member)).map(([, , time = ""]) => time);
  return past.toSorted().at(-1) ?? LATER;
}

/** An event of a type as an example: of these examples of its record it has the one that fits best. */
export function exampleEvent(type: EventTypeName, records: readonly Members[]) {
  const { data: shown = {}, previous = null, related = null, by, at } = SHOWN[type] ?? {};
  const matching = (record: Members) =>
    Object.entries(shown).filter(([member, value]) => record[member] === value).length;
  const [best = {}] = records.toSorted((one, other) => matching(other) - matching(one));
  const data = { ...best, ...shown };
  return {
    id: "evt_0f3a9c1b7d5e2846a0b1c2d3",
    type,
    sequence: 4_711,
    created_at: at ?? lastTimeIn(data),
    company: "demo-traders",
    api_version: API_VERSION,
    actor: by === undefined ? KEY : { type: "system", id: by, name: by },
    request_id: "req_01JD7ZK3V8QW9XY2ABCDEFGHJK",
    data,
    previous,
    related,
    data_omitted: false,
  };
}
