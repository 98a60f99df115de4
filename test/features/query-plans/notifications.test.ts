import { expect, test } from "vitest";
import type { Due } from "#core/due.ts";
import { jsonQuery } from "#core/sql/json.ts";
import { listMessages } from "../../../src/features/messaging/messages/list-messages.ts";
import { notificationsDue } from "../../../src/features/notifications/due.ts";
import { forgetNotifications } from "../../../src/features/notifications/forget.ts";
import { overdueNotices } from "../../../src/features/notifications/overdue-notices.ts";
import { remindersDue } from "../../../src/features/notifications/reminders.ts";
import { selectDue } from "../../../src/features/notifications/send/find-due.ts";
import { listNotifications } from "../../../src/features/notifications/settings/log.ts";
import { expectIndexed, explain, pages, planOf, statementsOf } from "./plans.ts";

const TABLES =
  /(?:SCAN|SEARCH) (?:bookings|invoices|notifications|messages|events|customers|leads|applications)\b/;

/** The steps of plans that look into tables which grow, each by an index. */
function stepsIn(plan: readonly string[]): string[] {
  const steps = plan.filter((step) => TABLES.test(step));
  expect(steps.length).toBeGreaterThan(0);
  expect(
    steps.filter((step) => !/SEARCH .* USING (?:COVERING |INTEGER PRIMARY )?(?:INDEX|KEY)/.test(step)),
  ).toEqual([]);
  return steps;
}

test.each<[string, Due, string]>([
  ["notifications", notificationsDue, "notifications_due (due_at"],
  ["reminders", remindersDue, "bookings_confirmed_start (start_at"],
  ["overdue invoices", overdueNotices, "invoices_overdue (due_date"],
])(
  "what is due of %s is found by its index, and so is the next that is not yet",
  async (_what, due, index) => {
    const [statement] = await statementsOf((ctx) => ctx.database.read([jsonQuery(ctx, due.look(ctx))]), {});
    const steps = stepsIn(await explain(String(statement?.sql), statement?.args));
    expect(steps.filter((step) => step.includes(index)).length).toBeGreaterThanOrEqual(2);
  },
);

test("a job finds what it sends, and all about it, by indexes", async () => {
  const plan = await planOf((ctx) => ctx.database.read([jsonQuery(ctx, selectDue(ctx, 20))]));
  expect(stepsIn(plan)[0]).toContain("notifications_due");
});

test("old notifications are found by their end", async () => {
  expect(stepsIn(await planOf(forgetNotifications)).join()).toContain("notifications_ended");
});

test.each(pages)("the log goes by its ids: %j", async (page) => {
  expectIndexed(await planOf((ctx) => listNotifications(ctx, {}, { page })));
});

test.each([
  [{ source: "notification" as const }, "messages_notified"],
  [{ rule: "booking_confirmed" }, "messages_rule"],
])("messages by %j go by their index", async (query, index) => {
  const plan = await planOf((ctx) => listMessages(ctx, {}, { ...query, page: { after: null, take: 26 } }));
  expectIndexed(plan);
  expect(plan.join()).toContain(index);
});
