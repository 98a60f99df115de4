import { expect, test } from "vitest";
import type { Ctx } from "#core/context.ts";
import type { PaidIntent } from "#features/gateway-payments";
import { getAvailability, listDates } from "../../../src/features/bookings/availability/get.ts";
import { getBooking } from "../../../src/features/bookings/bookings/get-booking.ts";
import { rescheduleBooking } from "../../../src/features/bookings/bookings/reschedule.ts";

import { listCourses } from "../../../src/features/bookings/courses/courses.ts";
import { holdsDue } from "../../../src/features/bookings/holds/expire-holds.ts";
import { refuseManyHolds } from "../../../src/features/bookings/holds/hold-limits.ts";
import { holdRefusals } from "../../../src/features/bookings/holds/hold-refusals.ts";
import { listInstructors } from "../../../src/features/bookings/instructors/list.ts";
import { listOverrides } from "../../../src/features/bookings/overrides/overrides.ts";
import { listPackages } from "../../../src/features/bookings/packages/list-by-customer.ts";
import { findVisit } from "../../../src/features/bookings/page/find-visit.ts";
import { payBooking } from "../../../src/features/bookings/payments/pay.ts";
import { bookingEffects } from "../../../src/features/bookings/payments/payment-effects.ts";
import { startBooking } from "../../../src/features/bookings/start/get.ts";
import { definitionOf, explain, statementsOf } from "./plans.ts";

const id = `bkg_${"a".repeat(26)}`;
const payer = { name: "Mia", email: "mia@example.com", phone: "0412345678" };
// What grows with every booking, customer or day; the rules, the instructors and their fields are few.
const LARGE =
  /\bSCAN (?:bookings|other|customers|booking_packages|instructor_overrides|products|payment_intents|gateway_captures|gateway_refunds|lesson_sales|invoices|credit_notes)\b(?! USING (?:COVERING )?INDEX)/;

const at = { booking_date: "2026-12-01", start_time: 600 };
const day = { instructorId: 1, date: "2026-12-01", length: 1, slot: 1, buffer: 1, working: 1 };
const groups = { client: "client", clientSite: "site", clientNetwork: "network" };
const asked = { id, groups, payer, puzzle: "wanted" as const, lingers: 900_000, day };
const keys = { turnstile_site_key: null };
const page = { after: null, take: 26 };

test.each<[string, (ctx: Ctx) => unknown]>([
  [
    "an instructor's availability",
    (ctx) => getAvailability(ctx, {}, { instructor_id: 1, date: "2026-12-01" }),
  ],
  ["a month of it", (ctx) => listDates(ctx, {}, { instructor_id: 1, from: "2026-12-01", to: "2026-12-31" })],
  ["the instructors", (ctx) => listInstructors(ctx, {}, { with_next: true, location_id: 1 })],
  ["what a booking page begins with", (ctx) => startBooking(ctx, {}, { with_next: true })],
  ["the courses", (ctx) => listCourses(ctx, {}, {})],
  [
    "a customer's packages",
    (ctx) => listPackages(ctx, {}, { customer_email: "a@b.c", customer_phone: "0412345678" }),
  ],
  ["an instructor's overrides", (ctx) => listOverrides(ctx, { id: 1 }, { page })],
  ["a booking", (ctx) => getBooking(ctx, { id })],
  ["a booking's page", (ctx) => findVisit(ctx, "token")],
  [
    "a booking to be paid",
    (ctx) => payBooking(ctx, { id }, { return_url: "https://a.b/", cancel_url: "https://a.b/" }),
  ],
  ["a booking to be moved", (ctx) => rescheduleBooking(ctx, { id }, at)],
  ...[null, "visitor"].flatMap((visitor): [string, (ctx: Ctx) => unknown][] => [
    [`what is held by ${visitor ?? "a customer"}`, (ctx) => refuseManyHolds(ctx, { ...asked, visitor })],
    [
      `when there is room for more of ${visitor ?? "a customer"}`,
      (ctx) => holdRefusals(ctx, { ...asked, visitor }, keys).too_many_holds?.(),
    ],
  ]),
  ["the holds that ran out", (ctx) => holdsDue.act(ctx)],
  [
    "a booking that was paid",
    async (ctx) => (await bookingEffects.paid(ctx, { refId: id } as PaidIntent)).statements,
  ],
])("%s is found by an index", async (_what, work) => {
  for (const { sql, args } of await statementsOf(work, { type: "publishable" })) {
    const steps = await explain(sql, args);
    expect(
      steps.filter((step) => LARGE.test(step)),
      sql,
    ).toEqual([]);
  }
});

test("the overlap rule reads the bookings of one instructor around one time", async () => {
  const trigger = await definitionOf("booking_takes_a_free_slot");
  const condition = /EXISTS \(([\s\S]*)\n\) BEGIN/.exec(trigger)?.[1]?.replaceAll(/NEW\.\w+/g, "1");
  expect((await explain(String(condition))).join("\n")).toContain(
    "SEARCH other USING INDEX bookings_slots (instructor_id=? AND start_at>? AND start_at<?)",
  );
});
