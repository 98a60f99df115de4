import type { Resource } from "#contract/resource.ts";
import { sweepThrowAways } from "#control/companies/delete-company.ts";
import { queueDueCompanies } from "#control/companies/housekeeping-schedule.ts";
import { sweepReservations } from "#control/companies/slug-reservations.ts";
import { mendOwnCopies } from "#control/copies/mend-copies.ts";
import { type CompanyRecord, findCompany } from "#control/directory.ts";
import { provisionerOf } from "#control/provision/index.ts";
import type { DueJob } from "#durable";
import { systemContext } from "#http/call-context.ts";
import { directoryOf } from "#http/environment.ts";
import type { Ctx } from "#platform/context.ts";
import { Database } from "#platform/database/database.ts";
import { type DeliverTask, type Job, sendAll, waitAWhile } from "#platform/jobs.ts";
import { logFault } from "#platform/log.ts";
import { retryDelay } from "#platform/retry-delay.ts";
import type { Env } from "../env.ts";
import { deliver } from "../features/events/deliveries/deliver.ts";
import type { Attach } from "../features/messaging/dispatch/dispatch-recipient.ts";
import { dispatchWaiting, messageOf } from "../features/messaging/dispatch/dispatch-waiting.ts";
import type { MessagingTask, OlderTask } from "../features/messaging/dispatch/jobs.ts";
import { recordOutcome } from "../features/messaging/dispatch/record-outcome.ts";
import { DISPATCH_CHANGES, HOUSEKEEPING_CHANGES, PAYMENT_CHANGES } from "./changes.ts";
import { doChores } from "./chores.ts";
import { type Afterwards, doDueHourly, runDue } from "./due.ts";
import { reconcilePayments } from "./payment-events.ts";
import { resealCompany, scheduleResealings } from "./reseal.ts";
import { RESOURCES } from "./resources.ts";

/**
 * Every job there is: `due` is what a company's clock asks for, `notify` sends the notifications that are due, `reconcile` asks gateways about open payments, `reseal`
 * seals what is sealed with an older master key anew.
 */
export type AnyJob =
  | DueJob
  | Job<MessagingTask | OlderTask | DeliverTask | { kind: "housekeep" | "notify" | "reconcile" | "reseal" }>;

const RESOURCES_BY_NAME = new Map(RESOURCES.map((resource) => [resource.name, resource]));

/** Calendars are loaded where an e-mail carries one. */
const attach: Attach = async (...given) => {
  const { mailedCalendar } = await import("../features/bookings/feeds/mailed-calendar.ts");
  return mailedCalendar(...given);
};

/** Does a job; `begin` gives a context of now, for a job that takes its time. */
type Work = (ctx: Ctx, job: AnyJob, given: { company: CompanyRecord; begin: () => Ctx }) => Promise<void>;

/**
 * The minute cron: undoes creations that were cut off, and queues one job for each company whose housekeeping is due.
 * What the queue does not take stays due.
 */
export async function scheduleJobs(env: Env, now: number): Promise<void> {
  const directory = directoryOf(env);
  const undoing = {
    control: new Database(directory.control),
    provisioner: async () => provisionerOf(env),
    now,
  };
  await sweepReservations(undoing).catch((error) => logFault("reservations", error));
  await sweepThrowAways(undoing).catch((error) => logFault("throw-away companies", error));
  await scheduleResealings(env, now).catch((error) => logFault("key rotation", error));
  await queueDueCompanies(directory, now, (slugs) =>
    sendAll(
      env.HOUSEKEEPING,
      slugs.map((company) => ({ body: { kind: "housekeep", company } })),
    ),
  );
}

/** Runs one job; never throws, for an exception would deliver its neighbours again. `clock` tells the time in epoch ms. */
export function runJob(
  env: Env,
  message: Message<AnyJob>,
  clock: () => number,
  afterwards: Afterwards,
): Promise<void> {
  const now = clock();
  if (message.body.kind === "reseal") return resealCompany(env, message, now);
  if (isDueJob(message)) return runDue(env, message, now, afterwards);
  return handle(env, message, clock, afterwards, async (ctx, job, { company, begin }) => {
    if (job.kind === "dispatch" || job.kind === "requeue") {
      // It may give others their turn, such as those that waited for a provider which works again.
      ctx.armClock();
      const carried = "recipient" in job ? await messageOf(ctx, job.recipient) : job.message;
      if (carried !== undefined) await dispatchWaiting(begin, carried, attach);
    } else if (job.kind === "deliver") {
      // What waits longer than a queue keeps it, the clock has to know of.
      ctx.armClock();
      await deliver(begin, job.endpoint, RESOURCES_BY_NAME);
    } else if (job.kind === "outcome") await recordOutcome(ctx, job);
    else if (job.kind === "notify") {
      ctx.armClock();
      const { notify } = await import("../features/notifications/send/notify.ts");
      // What fails after that, the clock finds.
      await waitAWhile(notify(begin), ctx.afterwards);
    } else if (job.kind === "reconcile") await reconcilePayments(ctx);
    else
      await doChores(ctx, [
        () => doDueHourly(env, ctx, company.clockOffsetMs),
        () => mendOwnCopies(directoryOf(env), company),
      ]);
  });
}

/**
 * Ends a job of messages that was tried too often; never throws either. An outcome is recorded however often it takes, and
 * what waits is queued anew: what failed was the database. The queue of housekeeping has no dead letters, for each of its
 * jobs is queued again by the clock or the cron.
 */
export function buryJob(
  env: Env,
  message: Message<AnyJob>,
  clock: () => number,
  afterwards: Afterwards,
): Promise<void> {
  return handle(env, message, clock, afterwards, async (ctx, { company: _, ...task }) => {
    if (task.kind === "dispatch" || task.kind === "requeue") await ctx.enqueue([task]);
    else if (task.kind === "outcome") await recordOutcome(ctx, task);
    // The clock finds a delivery that nobody makes.
    else if (task.kind === "deliver") ctx.armClock();
  });
}

function isDueJob(message: Message<AnyJob>): message is Message<DueJob> {
  return message.body.kind === "due";
}

function changesOf({ kind }: AnyJob): readonly Resource[] {
  if (kind === "housekeep") return HOUSEKEEPING_CHANGES;
  if (kind === "deliver") return [];
  return kind === "reconcile" ? PAYMENT_CHANGES : DISPATCH_CHANGES;
}

async function handle(
  env: Env,
  message: Message<AnyJob>,
  clock: () => number,
  afterwards: Afterwards,
  work: Work,
): Promise<void> {
  const { body: job, attempts } = message;
  try {
    const company = await findCompany(directoryOf(env), job.company, clock());
    // A suspended company's messages wait in their rows; its next housekeeping queues them anew. The outcome of what
    // was sent is recorded even so.
    if (company?.status === "active" || (company !== null && job.kind === "outcome")) {
      const environment = { env, origin: env.PUBLIC_ORIGIN ?? "", afterwards };
      const begin = () => systemContext(environment, company, job.kind, changesOf(job), clock());
      await work(begin(), job, { company, begin });
    }
    message.ack();
  } catch (error) {
    logFault(`job ${job.kind}`, error);
    message.retry({ delaySeconds: retryDelay(attempts, Math.random()) });
  }
}
