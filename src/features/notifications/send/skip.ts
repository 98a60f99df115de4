import { isNotice } from "#shared/settings.ts";
import { STRANGER_LIMITS } from "#shared/strangers.ts";
import { HOUR_MS } from "#shared/time/durations.ts";
import { isLate, type QuietHours, reminderAt } from "../quiet-hours.ts";
import { ruleOf } from "../rules.ts";
import type { FactsOf } from "./facts.ts";
import type { DueNotification } from "./find-due.ts";
import { backOf } from "./values.ts";

const MOST_AGE_MS = 12 * HOUR_MS;

/** When a notification is looked at, and what the company's night is. */
export type Moment = { now: number; quiet: QuietHours | null; timezone: string };

/** Why nothing is sent. */
export type Reason =
  | "rule_off"
  | "gone"
  | "no_longer_so"
  | "moved_again"
  | "unproven"
  | "just_confirmed"
  | "late"
  | "no_address"
  | "no_template";

/** Why a notification is not sent any more, by what its record is now; null where it still holds. */
export function staleness(due: DueNotification, moment: Moment): Reason | null {
  const { now } = moment;
  const rule = ruleOf(due.rule);
  // Without the last one its lesson could not be had.
  const isOn = due.is_on === 1 || isNotice(due.rule) || due.rule === "booking_unproven";
  if (rule === undefined || !isOn) return "rule_off";
  if (due.count === 0) return "no_longer_so";
  if (rule.about === null) return isOld(due, now) ? "late" : null;
  if (due.facts === null) return "gone";
  return changed(due, now) ?? (isUnproven(due) ? "unproven" : lateness(due, moment));
}

/** What a record is no longer. */
function changed(due: DueNotification, now: number): Reason | null {
  const holds = (still: boolean) => (still ? null : "no_longer_so");
  const booking = due.facts as FactsOf["booking"];
  const invoice = due.facts as FactsOf["invoice"];
  switch (due.rule) {
    case "booking_held":
      return holds(booking.status === "pending" && booking.payment_status === "unpaid");
    case "booking_unproven":
      return holds(booking.status === "pending" && (booking.hold_expires_at ?? 0) > now);
    case "booking_requested":
      return holds(booking.status === "pending");
    case "booking_confirmed":
      return holds(booking.status === "confirmed");
    case "booking_moved":
      return (
        holds(booking.status === "confirmed" || booking.status === "pending") ?? movedAgain(due, booking)
      );
    case "booking_cancelled":
      return holds(booking.status === "cancelled");
    case "booking_refunded":
      return holds(booking.payment_status === "refunded" && backOf(booking) > 0);
    case "booking_reminder_day":
    case "booking_reminder_hours":
      return holds(booking.status === "confirmed" && String(booking.start_at) === due.occasion);
    case "order_paid":
      return holds((due.facts as FactsOf["order"]).status === "invoiced");
    case "payment_receipt":
      return holds((due.facts as FactsOf["payment"]).deleted_at === null);
    case "refund_made":
      return holds((due.facts as FactsOf["payment"]).deleted_at !== null);
    case "refund_sent":
      return holds((due.facts as FactsOf["refund"]).status === "succeeded");
    case "credit_note_issued":
      return holds((due.facts as FactsOf["credit_note"]).credit_note_status === "issued");
    case "invoice_overdue":
      return holds(
        invoice.amount_due > 0 &&
          invoice.invoice_status !== "voided" &&
          due.occasion.startsWith(`${invoice.due_date}:`),
      );
    default:
      return null;
  }
}

/** A later move has a message of its own. */
function movedAgain(due: DueNotification, booking: FactsOf["booking"]): Reason | null {
  const { then_date: date, then_time: time, then_instructor: instructor } = due;
  if (date === null) return null;
  const isSame = date === booking.date && time === booking.time && instructor === booking.instructor_id;
  return isSame ? null : "moved_again";
}

function lateness(due: DueNotification, moment: Moment): Reason | null {
  const { now } = moment;
  if (!isReminder(due)) return isOld(due, now) ? "late" : null;
  const { start_at: startAt, confirmed_at: confirmedAt } = due.facts as FactsOf["booking"];
  const instant = reminderOf(due, moment);
  if (confirmedAt !== null && confirmedAt > instant) return "just_confirmed";
  return startAt <= now || isLate(now, instant, due.hours) ? "late" : null;
}

/** What waits for a cap is as old as its event. */
function isOld({ reason, at, due_at: dueAt }: DueNotification, now: number): boolean {
  return now - (reason === null ? dueAt : (at ?? dueAt)) > MOST_AGE_MS;
}

/** Whether a customer whom nothing proves has had the message that a booking may bring; a reminder reports no act of a visitor. */
function isUnproven({ recipient, sequence, by_stranger: byStranger, told }: DueNotification): boolean {
  return (
    recipient === "customer" &&
    sequence !== null &&
    byStranger === 1 &&
    told >= STRANGER_LIMITS.messagesOfBooking
  );
}

/** Whether it is a reminder of a lesson, so many hours before it. */
export function isReminder(due: DueNotification): due is DueNotification & { hours: number } {
  return due.hours !== null;
}

/** When a reminder goes out by the rule of now; e-mail has no quiet hours. */
export function reminderOf(due: DueNotification & { hours: number }, { quiet, timezone }: Moment): number {
  const { start_at: startAt } = due.facts as FactsOf["booking"];
  return reminderAt(startAt, due.hours, due.channel === "email" ? null : quiet, timezone);
}
