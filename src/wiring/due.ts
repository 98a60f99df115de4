import { systemContext } from "#api/call-context.ts";
import { directoryOf } from "#api/environment.ts";
import { rescheduleClock, wakeClock } from "#core/clock.ts";
import type { Ctx } from "#core/context.ts";
import type { Due, Look } from "#core/due.ts";
import { waitAWhile } from "#core/jobs.ts";
import { logFault } from "#core/log.ts";
import { jsonQuery, parseRows } from "#core/sql/json.ts";
import { auditRowsDue } from "#core/write/audit-chain.ts";
import { unstampedEvents } from "#core/write/event-upkeep.ts";
import type { DueJob } from "#durable";
import { holdsDue } from "#features/bookings";
import { paymentsDue } from "#features/gateway-payments";
import { overdueInvoices } from "#features/invoices";
import { missingPostings } from "#features/ledger";
import { automaticRefunds, refundsDue } from "#features/refunds";
import { PAPERS } from "#integrity/papers.ts";
import { findCompany } from "#tenancy/directory.ts";
import type { Env } from "../env.ts";
import { crowdedEndpoints, deliveriesDue } from "../features/events/deliveries/due.ts";
import { recipientsDue } from "../features/messaging/dispatch/requeue.ts";
import { scheduledDue } from "../features/messaging/dispatch/scheduled.ts";
import { notificationsDue } from "../features/notifications/due.ts";
import { overdueNotices } from "../features/notifications/overdue-notices.ts";
import { remindersDue } from "../features/notifications/reminders.ts";
import { DUE_CHANGES } from "./changes.ts";

/** All that comes due in a company; the others leave rows in the audit log, which comes last. */
const DUE: readonly [Due, ...Due[]] = [
  scheduledDue,
  recipientsDue,
  holdsDue,
  paymentsDue,
  automaticRefunds,
  refundsDue,
  overdueInvoices,
  missingPostings,
  unstampedEvents,
  crowdedEndpoints,
  deliveriesDue,
  remindersDue,
  overdueNotices,
  notificationsDue,
  auditRowsDue(PAPERS),
];

type Found = { wasDue: boolean; next: number | null };
const NOTHING: Found = { wasDue: false, next: null };

/** Lets work go on after the job. */
export type Afterwards = (work: Promise<unknown>) => void;

/** Does what a company's clock asked for. Never throws, and is never repeated by the queue: the clock asks again in a minute. */
export async function runDue(
  env: Env,
  message: Message<DueJob>,
  now: number,
  afterwards: Afterwards,
): Promise<void> {
  await waitAWhile(look(env, message.body, now, afterwards), afterwards);
  message.ack();
}

async function look(
  env: Env,
  { company: slug, counter }: DueJob,
  now: number,
  afterwards: Afterwards,
): Promise<void> {
  const environment = { env, origin: env.PUBLIC_ORIGIN ?? "", afterwards };
  try {
    const company = await findCompany(directoryOf(env), slug, now);
    // What is due in a suspended company waits until it is active again, which wakes its clock.
    const { next } =
      company?.status === "active"
        ? await doDue(systemContext(environment, company, "due", DUE_CHANGES, now))
        : NOTHING;
    const offset = company?.clockOffsetMs ?? 0;
    await rescheduleClock(env.COMPANY_CLOCK, slug, next === null ? null : next - offset, counter);
  } catch (error) {
    logFault("job", error, slug);
  }
}

/**
 * The same each hour, for a clock that never woke or lost its object. Gives whether anything was due or will be.
 * `offset`: of the company's clock, in ms.
 */
export async function doDueHourly(env: Env, ctx: Ctx, offset: number): Promise<boolean> {
  const { wasDue, next } = await doDue(ctx);
  if (next !== null) await wakeClock(env.COMPANY_CLOCK, ctx.company.slug, next - offset);
  return wasDue || next !== null;
}

/**
 * Reads once what is due, does or queues it, and gives whether anything was, and when something is due next, in the
 * company's time, or null. One kind that fails stops none of the others; the first failure is thrown at the end.
 */
async function doDue(ctx: Ctx): Promise<Found> {
  const [first, ...rest] = DUE;
  const ask = ({ look }: Due) => jsonQuery(ctx, look(ctx));
  const found = await ctx.database.read([ask(first), ...rest.map(ask)]);
  const looks: Look[] = found.flatMap((cells) => parseRows(cells));
  const next: (number | null)[] = looks.map((look) => look.next);
  const failures: unknown[] = [];
  for (const [index, { act }] of DUE.entries()) {
    if (looks[index]?.due !== 1) continue;
    await act(ctx).then(
      (again) => next.push(again),
      (error) => failures.push(error),
    );
  }
  if (failures.length > 0) throw failures[0];
  return {
    wasDue: looks.some(({ due }) => due === 1),
    next: next.reduce(
      (one, other) => (one === null || other === null ? (one ?? other) : Math.min(one, other)),
      null,
    ),
  };
}
