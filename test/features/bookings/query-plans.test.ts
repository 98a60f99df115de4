import type { InValue } from "@libsql/client";
import type { SQLWrapper } from "drizzle-orm";
import { SQLiteAsyncDialect } from "drizzle-orm/sqlite-core";
import { beforeAll, expect, test } from "vitest";
import type { PaidIntent } from "#features/gateway-payments";
import type { Ctx } from "#platform/context.ts";
import { Database } from "#platform/database/database.ts";
import { getAvailability, listDates } from "../../../src/features/bookings/availability/get.ts";
import { listCourses } from "../../../src/features/bookings/courses/list.ts";
import { expireBookings } from "../../../src/features/bookings/holds/expire.ts";
import { holdRefusals, refuseManyHolds } from "../../../src/features/bookings/holds/hold-limits.ts";
import { listInstructors } from "../../../src/features/bookings/instructors/list.ts";
import { listOverrides } from "../../../src/features/bookings/overrides/manage.ts";
import { listPackages } from "../../../src/features/bookings/packages/list-by-customer.ts";
import { payBooking } from "../../../src/features/bookings/payments/pay.ts";
import { bookingEffects } from "../../../src/features/bookings/payments/payment-effects.ts";
import { getBooking } from "../../../src/features/bookings/reservations/get.ts";
import { rescheduleBooking } from "../../../src/features/bookings/reservations/reschedule.ts";
import { openCompany, type TestCompany } from "../../support/company.ts";
import { rowsOf } from "../commerce.ts";

const dialect = new SQLiteAsyncDialect();
const id = `bkg_${"a".repeat(26)}`;
const payer = { name: "Mia", email: "mia@example.com", phone: "0412345678" };
// What grows with every booking, customer or day; the rules, the instructors and their fields are few.
const LARGE =
  /\bSCAN (?:bookings|other|customers|booking_packages|instructor_overrides|products|payment_intents)\b(?! USING (?:COVERING )?INDEX)/;

let company: TestCompany;
beforeAll(async () => {
  company = await openCompany();
});

type Statement = { sql: string; args: InValue[] };

/** The statements that a piece of work sends or gives, against a database without rows. */
async function statementsOf(work: (ctx: Ctx) => unknown): Promise<Statement[]> {
  const sent: Statement[] = [];
  const keep = (queries: readonly SQLWrapper[]) => {
    for (const query of queries) {
      const { sql, params } = dialect.sqlToQuery(query.getSQL());
      sent.push({ sql, args: params as InValue[] });
    }
    return queries.map(() => []);
  };
  const ctx = {
    actor: { type: "publishable" },
    client: { allowsOrigin: () => true },
    company: { timezone: "Asia/Kolkata", currency: "INR" },
    db: new Database({ url: "http://127.0.0.1:1", token: "" }).build,
    database: {
      read: async (queries: SQLWrapper[]) => keep(queries),
      write: async (queries: SQLWrapper[]) => keep(queries),
    },
    standInLine: async () => undefined,
    afterwards: () => undefined,
    now: 0,
    operation: { fingerprint: null, id: "x", scope: "x" },
  };
  // What finds nothing may end with 404, after it has sent what is wanted here.
  const given = await Promise.resolve(work(ctx as unknown as Ctx)).catch(() => undefined);
  if (Array.isArray(given)) keep(given.filter((one) => typeof one?.getSQL === "function"));
  return sent;
}

const at = { booking_date: "2026-12-01", start_time: 600 };
const day = { instructorId: 1, date: "2026-12-01", length: 1, buffer: 1, working: 1 };
const asked = { client: "client", payer, day };
const page = { after: null, take: 26 };

test.each<[string, (ctx: Ctx) => unknown]>([
  [
    "an instructor's availability",
    (ctx) => getAvailability(ctx, {}, { instructor_id: 1, date: "2026-12-01" }),
  ],
  ["a month of it", (ctx) => listDates(ctx, {}, { instructor_id: 1, from: "2026-12-01", to: "2026-12-31" })],
  ["the instructors", (ctx) => listInstructors(ctx, {}, { with_next: true, location_id: 1 })],
  ["the courses", (ctx) => listCourses(ctx, {}, {})],
  [
    "a customer's packages",
    (ctx) => listPackages(ctx, {}, { customer_email: "a@b.c", customer_phone: "0412345678" }),
  ],
  ["an instructor's overrides", (ctx) => listOverrides(ctx, { id: 1 }, { page })],
  ["a booking", (ctx) => getBooking(ctx, { id })],
  [
    "a booking to be paid",
    (ctx) => payBooking(ctx, { id }, { return_url: "https://a.b/", cancel_url: "https://a.b/" }),
  ],
  ["a booking to be moved", (ctx) => rescheduleBooking(ctx, { id }, at)],
  ...(["online", "staff", "free"] as const).flatMap((kind): [string, (ctx: Ctx) => unknown][] => [
    [`what a visitor has ${kind}`, (ctx) => refuseManyHolds(ctx, { ...asked, kind })],
    [
      `when there is room for more ${kind}`,
      (ctx) => holdRefusals(ctx, { ...asked, kind }).too_many_holds?.(),
    ],
  ]),
  ["the holds that ran out", (ctx) => expireBookings(ctx)],
  ["a booking that was paid", (ctx) => bookingEffects.paid(ctx, { refId: id } as PaidIntent)],
])("%s is found by an index", async (_what, work) => {
  const statements = await statementsOf(work);
  expect(statements.length).toBeGreaterThan(0);
  for (const { sql, args } of statements) {
    const plan = await rowsOf(company, `EXPLAIN QUERY PLAN ${sql}`, args);
    const steps = plan.map(({ detail }) => String(detail));
    expect(
      steps.filter((step) => LARGE.test(step)),
      sql,
    ).toEqual([]);
  }
});

test("the overlap rule reads the bookings of one instructor around one time", async () => {
  const [trigger] = await rowsOf(
    company,
    "SELECT sql FROM sqlite_schema WHERE name = 'booking_takes_a_free_slot'",
  );
  const condition = /EXISTS \(([\s\S]*)\n\) BEGIN/
    .exec(String(trigger?.sql))?.[1]
    ?.replaceAll(/NEW\.\w+/g, "1");
  const plan = await rowsOf(company, `EXPLAIN QUERY PLAN ${condition}`);
  expect(plan.map(({ detail }) => String(detail)).join("\n")).toContain(
    "SEARCH other USING INDEX bookings_slots (instructor_id=? AND start_at>? AND start_at<?)",
  );
});
