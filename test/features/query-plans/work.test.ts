import { expect, test } from "vitest";
import type { Ctx } from "#core/context.ts";
import type { Due } from "#core/due.ts";
import { jsonQuery } from "#core/sql/json.ts";
import { eraseOldAuditRows } from "#core/write/audit-retention.ts";
import { stampEvents } from "#core/write/events.ts";
import type { PaidIntent } from "#features/gateway-payments";
import { rescheduleBooking } from "../../../src/features/bookings/bookings/reschedule.ts";
import { holdsDue } from "../../../src/features/bookings/holds/expire-holds.ts";
import { refuseManyHolds } from "../../../src/features/bookings/holds/hold-limits.ts";
import { holdRefusals } from "../../../src/features/bookings/holds/hold-refusals.ts";
import { findVisit } from "../../../src/features/bookings/page/find-visit.ts";
import { payBooking } from "../../../src/features/bookings/payments/pay.ts";
import { bookingEffects } from "../../../src/features/bookings/payments/payment-effects.ts";
import { findAll } from "../../../src/features/erasures/find.ts";
import { crowdedEndpoints, deliveriesDue } from "../../../src/features/events/deliveries/due.ts";
import { leaseDeliveries } from "../../../src/features/events/deliveries/lease.ts";
import { settle } from "../../../src/features/events/deliveries/record-outcome.ts";
import { eraseAbandonedPayments } from "../../../src/features/gateway-payments/events/erase-abandoned.ts";
import { paymentsDue } from "../../../src/features/gateway-payments/events/reconcile.ts";
import { hashErasedContacts } from "../../../src/features/messaging/contacts/erase.ts";
import { recipientsDue, requeueOverdue } from "../../../src/features/messaging/dispatch/requeue.ts";
import { scheduledDue } from "../../../src/features/messaging/dispatch/scheduled.ts";
import { notificationsDue } from "../../../src/features/notifications/due.ts";
import { forgetNotifications } from "../../../src/features/notifications/forget.ts";
import { overdueNotices } from "../../../src/features/notifications/overdue-notices.ts";
import { remindersDue } from "../../../src/features/notifications/reminders.ts";
import { selectDue } from "../../../src/features/notifications/send/find-due.ts";
import { findToPay } from "../../../src/features/payments/online/find-payable.ts";
import { eraseAbandonedOrders } from "../../../src/features/storefront/orders/erase-abandoned.ts";
import { EVENTS } from "../../../src/integrity/invariants/events.ts";
import { PERSON_ERASURE } from "../../../src/wiring/erasers.ts";
import "../../support/declarations.ts";
import { definitionOf, expectIndexed, explain, planOf } from "./plans.ts";

/** What grows with every customer, lead, order, booking, payment, message or day; the rules and the instructors are few. */
const GROWS =
  /\bSCAN (?:customers|leads|lead_submissions|applications|bookings|booking_packages|instructor_overrides|products|sales_orders|invoices|credit_notes|payments|payment_intents|gateway_captures|gateway_refunds|lesson_sales|accounts|journal_\w+|messages|message_recipients|inbound_messages|contact_optouts|email_suppressions|notifications|event_deliveries|events|other|waiting|found|theirs)\b/;

const id = `bkg_${"a".repeat(26)}`;
const payer = { name: "Mia", email: "mia@example.com", phone: "0412345678" };
const day = { instructorId: 1, date: "2026-12-01", length: 1, slot: 1, buffer: 1, working: 1 };
const groups = { client: "client", clientSite: "site", clientNetwork: "network" };
const held = { id, groups, payer, puzzle: "wanted" as const, lingers: 900_000, day };
const keys = { turnstile_site_key: null };
const moved = { booking_date: "2026-12-01", start_time: 600 };
const paid = { refId: id } as PaidIntent;
const back = { return_url: "https://a.b/", cancel_url: "https://a.b/" };
const person = { given: {}, emails: ["a@mail.example"], phones: ["+919845012345"], users: ["IN.1"] };
const leased = { id: 1, run: "x", at: 0, attempts: 1, endpoint: { id: 1 }, event: {} } as never;
const outcome = { status: 500, error: "status", durationMs: 1, excerpt: "", retryAfterMs: 0 } as const;

/** A database that says that an endpoint has room, and something due. */
function waitedFor({ database, ...ctx }: Ctx): Ctx {
  const read = async (queries: never) => {
    await database.read(queries);
    return [[{ snapshot: '{"sent":0,"waits":1}' }]];
  };
  return { ...ctx, database: { ...database, read } } as never;
}

const looking = (due: Pick<Due, "look">) => (ctx: Ctx) => ctx.database.read([jsonQuery(ctx, due.look(ctx))]);

test.each<[string, (ctx: Ctx) => unknown]>([
  ["a booking's page", (ctx) => findVisit(ctx, "token")],
  ["a booking to be paid", (ctx) => payBooking(ctx, { id }, back)],
  ["a booking to be moved", (ctx) => rescheduleBooking(ctx, { id }, moved)],
  ["what a customer holds", (ctx) => refuseManyHolds(ctx, { ...held, visitor: null })],
  ["what a visitor holds", (ctx) => refuseManyHolds(ctx, { ...held, visitor: "visitor" })],
  [
    "when a customer may hold more",
    (ctx) => holdRefusals(ctx, { ...held, visitor: null }, keys).too_many_holds?.(),
  ],
  [
    "when a visitor may",
    (ctx) => holdRefusals(ctx, { ...held, visitor: "visitor" }, keys).too_many_holds?.(),
  ],
  ["the holds that ran out", (ctx) => holdsDue.act(ctx)],
  ["a booking that was paid", async (ctx) => (await bookingEffects.paid(ctx, paid)).statements],
])("%s is found by an index", async (_what, work) => {
  const plan = await planOf(work, { type: "publishable" });
  expect(plan.filter((step) => GROWS.test(step) && !/ USING (?:COVERING )?INDEX/.test(step))).toEqual([]);
});

/** Work of jobs, and which scans there may be. */
test.each<[string, (ctx: Ctx) => unknown, RegExp?]>([
  // Events go after some days.
  ["everything of a person", (ctx) => findAll(ctx, PERSON_ERASURE, person), /SCAN events$/],
  // The index holds nothing else.
  ["what a restore marked as erased", (ctx) => hashErasedContacts(ctx), /_unmarked/],
  ["the lease of deliveries", (ctx) => leaseDeliveries(waitedFor(ctx), 1)],
  ["its success", (ctx) => settle(ctx, 1, [{ leased, outcome: { ...outcome, error: null } }])],
  ["its failure", (ctx) => settle(ctx, 1, [{ leased, outcome }])],
  [
    "the stamp of an event",
    (ctx) => stampEvents({ ...ctx, changes: { names: ["customer"] } }),
    /events_unstamped/,
  ],
  ["the recipients that are queued again", (ctx) => requeueOverdue(ctx)],
  ["the deliveries that are queued again", (ctx) => deliveriesDue.act(ctx)],
  ["the endpoints that too much waits for", looking(crowdedEndpoints)],
  ["what becomes of them", (ctx) => crowdedEndpoints.act(ctx)],
  [
    "what notifications are sent",
    (ctx) => ctx.database.read([jsonQuery(ctx, selectDue(ctx, 20))]),
    /_(?:review|stray)$/,
  ],
  ["old notifications", forgetNotifications],
])(
  "%s is found by an index, and nothing that grows is read from end to end",
  async (what, work, may = /^$/) => {
    const plan = await planOf(work, {});
    expect(plan.filter((step) => GROWS.test(step) && !may.test(step))).toEqual([]);
    // Every part of the API that keeps something of a person was asked.
    if (what === "everything of a person") expect(plan.length).toBeGreaterThan(9);
    // A company has ten endpoints at most.
    if (/queued|endpoints|becomes/.test(what))
      expect(plan.filter((step) => /TEMP B-TREE(?! FOR DISTINCT)/.test(step))).toEqual([]);
  },
);

// What a look reads beside: the few rules, and whether a record's notice is there already.
const RULES =
  / (?:notification_rules|notification_settings|channels)\b| days VIRTUAL TABLE | INDEX notifications_once \(/;

test.each<[string, Due, string, number?]>([
  ["scheduled messages", scheduledDue, "messages_scheduled ("],
  ["recipients", recipientsDue, "message_recipients_due ("],
  ["deliveries", deliveriesDue, "event_deliveries_due ("],
  ["holds", holdsDue, "bookings_holds ("],
  ["payments", paymentsDue, "payment_intents_open ("],
  ["notifications", notificationsDue, "notifications_due (due_at"],
  // Three kinds of each are due at times of their own.
  ["reminders", remindersDue, "bookings_confirmed_start (start_at", 4],
  ["overdue invoices", overdueNotices, "invoices_overdue (due_date", 4],
])(
  "what is due of %s is a seek in its index, and so is the next that is not yet",
  async (_what, due, index, seeks = 2) => {
    const plan = await planOf(looking(due), {});
    const steps = plan.filter(
      (step) => /SCAN|SEARCH|TEMP/.test(step) && !/CONSTANT ROW/.test(step) && !RULES.test(step),
    );
    expect(steps.filter((step) => !step.includes(index))).toEqual([]);
    expect(steps).toHaveLength(seeks);
  },
);

test.each([
  ["orders", "sales_orders_payment_status", (ctx: Ctx) => eraseAbandonedOrders(ctx)],
  ["failed intents", "payment_intents_failed", (ctx: Ctx) => eraseAbandonedPayments(ctx)],
  ["stray events", "gateway_events_stray", (ctx: Ctx) => eraseAbandonedPayments(ctx)],
  ["ended notifications", "notifications_ended", forgetNotifications],
  ["the audit log", "", eraseOldAuditRows],
])("the erasure of %s goes by an index and sorts nothing", async (_what, index, erase) => {
  const plan = await planOf(erase);
  expect(plan.some((step) => step.includes(index))).toBe(true);
  const scans = /^SCAN (?!one$|old$|oldest$|audit_log$|audit_cut|\(subquery|CONSTANT)|TEMP B-TREE/;
  expect(plan.filter((step) => scans.test(step))).toEqual([]);
});

test("the read of an invoice to pay goes by an index, and its captures by their intent", async () => {
  const plan = await planOf((ctx) => findToPay(ctx, "token"));
  expectIndexed(plan);
  expect(plan.join()).toContain("gateway_captures USING INDEX gateway_captures_intent (intent_id=?)");
});

test("the overlap rule reads the bookings of one instructor around one time", async () => {
  const trigger = await definitionOf("booking_takes_a_free_slot");
  const condition = /EXISTS \(([\s\S]*)\n\) BEGIN/.exec(trigger)?.[1]?.replaceAll(/NEW\.\w+/g, "1");
  expect((await explain(String(condition))).join("\n")).toContain(
    "SEARCH other USING INDEX bookings_slots (instructor_id=? AND start_at>? AND start_at<?)",
  );
});

test("the self-check looks for each record's events by the record, not among all of their type", async () => {
  const rule = EVENTS["every record of the last hour has the event of its beginning"];
  const searches = (await explain(String(rule))).filter((step) => /events USING/.test(step));
  expect(searches.length).toBeGreaterThan(0);
  const byRecord = /INDEX events_record \(resource=\? AND record_id=\?\)|INDEX events_at\b/;
  expect(searches.filter((step) => !byRecord.test(step))).toEqual([]);
});
