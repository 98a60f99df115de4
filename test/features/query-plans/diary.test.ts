import { describe, expect, test } from "vitest";
import { listBookings } from "../../../src/features/bookings/bookings/list-bookings.ts";
import type { StaffBookingQuery } from "../../../src/features/bookings/bookings/staff-schema.ts";
import { getDiary } from "../../../src/features/bookings/diary/get.ts";
import { expectIndexed, planOf } from "./plans.ts";

const [from, to] = ["2026-12-01", "2026-12-31"];
/** What grows with every booking. */
const WHOLE =
  /^SCAN (?:bookings|found|theirs|customers|instructor_overrides)\b(?! USING (?:COVERING )?INDEX)/;

/** Each filter of the bookings, with the index that its list goes by. */
const filters: [Partial<StaffBookingQuery>, string][] = [
  [{ order: "start" }, "bookings_start"],
  [{ order: "start", from, to }, "bookings_start"],
  [{ order: "start", from, instructor_id: 1 }, "bookings_instructor_start"],
  [{ order: "start", payment_status: ["refund_due"] }, "bookings_owed_start"],
  [{ order: "created", customer_id: 1 }, "bookings_customer"],
  [{ order: "created", needs_review: true }, "bookings_review"],
  [{ order: "created", refund_status: "partial" }, "bookings_refund_status"],
  [{ order: "created" }, "bookings_newest"],
  [{ order: "created", status: ["confirmed"] }, "bookings_status"],
];

describe.each(filters)("the list of bookings by %j", (filter, index) => {
  test.each([
    ["the first page", null],
    ["a later page", [1_790_000_000_000, `bkg_${"a".repeat(26)}`]],
  ])("%s goes by its index and is not sorted", async (_which, after) => {
    const plan = await planOf((ctx) =>
      listBookings(ctx, {}, { order: "created", ...filter, page: { after, take: 26 } }),
    );
    expectIndexed(plan);
    expect(plan.filter((step) => step.includes(index)).length, plan.join("\n")).toBeGreaterThan(0);
  });
});

const page = { after: null, take: 26 };

test.each<[string, Partial<StaffBookingQuery>]>([
  ["a customer's name", { q: "mia chen" }],
  ["a booking's number, by start", { q: "BK-000123", order: "start" }],
  ["what lies outside of hours", { outside_hours: true }],
])("bookings by %s are found by an index", async (_what, filter) => {
  const plan = await planOf((ctx) => listBookings(ctx, {}, { order: "created", ...filter, page }));
  expect(plan.filter((step) => WHOLE.test(step))).toEqual([]);
  if (filter.q !== undefined) expect(plan.join("\n")).not.toContain("bookings_newest");
});

test("a diary reads the bookings of its dates", async () => {
  const plan = await planOf((ctx) => getDiary(ctx, {}, { from, to: "2026-12-14" }));
  expect(plan.filter((step) => WHOLE.test(step))).toEqual([]);
  expect(plan.join("\n")).toMatch(
    /bookings_(?:instructor_start|slots) \(instructor_id=\? AND start_at>\? AND start_at<\?\)/,
  );
});
