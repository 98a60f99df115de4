import { sendAt } from "../quiet-hours.ts";
import { ruleOf } from "../rules.ts";
import type { FactsOf } from "./facts.ts";
import type { DueNotification } from "./find-due.ts";
import { isReminder, type Moment, reminderOf } from "./skip.ts";

/** When a notification goes out that is due: now, or when its wait ends. */
export function goesAt(due: DueNotification, moment: Moment): number {
  const { now, quiet, timezone } = moment;
  if (isReminder(due)) return Math.max(now, reminderOf(due, moment));
  if (due.channel === "email") return now;
  const startAt = ruleOf(due.rule)?.about === "booking" ? (due.facts as FactsOf["booking"]).start_at : null;
  return sendAt(now, { actedAt: actedAt(due), startAt }, quiet, timezone);
}

// Of staff, whom no wish of the customer's keeps from the night.
const BY_STAFF = /StaffBooking$|^updateBooking$/;

/** When the recipient did what the message reports; null if another person did it. */
function actedAt({ rule, recipient, at, actor, operation }: DueNotification): number | null {
  if (recipient === "company" || recipient.startsWith("instructor:")) return null;
  if (operation !== null && BY_STAFF.test(operation)) return null;
  return ruleOf(rule)?.ownAct === true || actor?.id === "page" ? at : null;
}
