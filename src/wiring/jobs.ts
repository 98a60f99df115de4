import { systemContext } from "#api/call-context.ts";
import { directoryOf } from "#api/environment.ts";
import type { Ctx } from "#core/context.ts";
import { Database } from "#core/database/database.ts";
import { type DeliverTask, type Job, sendAll, waitAWhile } from "#core/jobs.ts";
import { logFault } from "#core/log.ts";
import { retryDelay } from "#core/retry-delay.ts";
import type { DueJob } from "#durable";
import type { ResourceName } from "#shared/resource-names.ts";
import { sweepThrowAways } from "#tenancy/companies/delete-company.ts";
import { putOffHourlyJobs, queueDueCompanies } from "#tenancy/companies/hourly-schedule.ts";
import { sweepReservations } from "#tenancy/companies/slug-reservations.ts";
import { type CompanyRecord, findCompany } from "#tenancy/directory.ts";
import { answerPing, type PingJob, recordHeartbeat } from "#tenancy/heartbeats.ts";
import { provisionerOf } from "#tenancy/provision/index.ts";
import { mendOwnCopies } from "#tenancy/registry-backup/mend-copies.ts";
import type { Env } from "../env.ts";
import { deliver } from "../features/events/deliveries/deliver.ts";
import type { Attach } from "../features/messaging/dispatch/dispatch-recipient.ts";
import { dispatchWaiting } from "../features/messaging/dispatch/dispatch-waiting.ts";
import type { MessagingTask } from "../features/messaging/dispatch/jobs.ts";
import { recordOutcome } from "../features/messaging/dispatch/record-outcome.ts";
import { DISPATCH_CHANGES, HOURLY_CHANGES, PAYMENT_CHANGES } from "./changes.ts";
import { type Afterwards, doDueHourly, runDue } from "./due.ts";
import { runHourlyJobs } from "./hourly-jobs.ts";
import { reconcilePayments } from "./payment-events.ts";
import { reencryptCompany, scheduleReencryption } from "./re-encrypt.ts";
import { allResources } from "./resources.ts";

/**
 * Every job there is. A company's clock asks for `due`. `notify` sends the notifications that are due, `reconcile` asks
 * gateways about open payments, `refunds` about open refunds, and `reseal` re-encrypts what an older master key encrypted.
 */
export type AnyJob =
  | DueJob
  | PingJob
  | Job<MessagingTask | DeliverTask | { kind: "housekeep" | "notify" | "reconcile" | "refunds" | "reseal" }>;

/** Calendars are loaded where an e-mail carries one. */
const attach: Attach = async (...given) => {
  const { mailedCalendar } = await import("../features/bookings/feeds/mailed-calendar.ts");
  return mailedCalendar(...given);
};

/** Does a job; `begin` gives a context of now, for a job that takes its time. */
type Work = (ctx: Ctx, job: AnyJob, given: { company: CompanyRecord; begin: () => Ctx }) => Promise<void>;

/**
 * The minute cron: undoes creations that were cut off, and queues one job for each company whose hourly jobs are due.
 * What the queue does not take stays due. At the end it records that it ran.
 */
export async function scheduleJobs(env: Env, now: number): Promise<void> {
  const directory = directoryOf(env);
  const undoing = {
    control: new Database(directory.control),
    provisioner: async () => provisionerOf(env),
    now,
  };
  await sweepReservations(undoing).catch((error) => logFault("reservations", error));
  await sweepThrowAways(undoing).catch((error) => logFault("throw_away_companies", error));
  await scheduleReencryption(env, now).catch((error) => logFault("key_rotation", error));
  await queueDueCompanies(directory, now, (slugs) =>
    sendAll(
      env.HOUSEKEEPING,
      slugs.map((company) => ({ body: { kind: "housekeep", company } })),
    ),
  );
  await recordHeartbeat(directory, "cron", now);
}

/** Runs one job; never throws: an exception would deliver its neighbours again. `clock` gives the time in epoch ms. */
export function runJob(
  env: Env,
  message: Message<AnyJob>,
  clock: () => number,
  afterwards: Afterwards,
): Promise<void> {
  const now = clock();
  if (message.body.kind === "reseal") return reencryptCompany(env, message, now);
  if (isPing(message)) return answerPing(directoryOf(env), message, now);
  if (isDueJob(message)) return runDue(env, message, now, afterwards);
  return handle(env, message, clock, afterwards, async (ctx, job, { company, begin }) => {
    if (job.kind === "dispatch") {
      // It may give others their turn, such as those that waited for a provider which works again.
      ctx.scheduleClock();
      await dispatchWaiting(begin, job.message, attach);
    } else if (job.kind === "deliver") {
      // What waits longer than a queue keeps it, the clock has to know of.
      ctx.scheduleClock();
      await deliver(begin, job.endpoint, byName(await allResources()));
    } else if (job.kind === "outcome") await recordOutcome(ctx, job);
    else if (job.kind === "notify") {
      ctx.scheduleClock();
      const { notify } = await import("../features/notifications/send/notify.ts");
      // What fails after that, the clock finds.
      await waitAWhile(notify(begin), ctx.afterwards);
    } else if (job.kind === "reconcile") await reconcilePayments(ctx);
    else if (job.kind === "refunds") {
      ctx.scheduleClock();
      const { lookAtRefunds } = await import("../features/refunds/due.ts");
      await lookAtRefunds(ctx);
    } else {
      const directory = directoryOf(env);
      const isAtRest = await runHourlyJobs(ctx, [
        () => doDueHourly(env, ctx, company.clockOffsetMs),
        () => mendOwnCopies(directory, company, ctx.now),
      ]);
      if (isAtRest) await putOffHourlyJobs(directory, company.id, clock());
    }
  });
}

/**
 * Ends a job of messages that was tried too often; never throws either. An outcome is recorded however often it takes,
 * and what waits is queued anew: what failed was the database. The queue of hourly jobs has no dead letters: the clock
 * or the cron queues each of its jobs again.
 */
export function deadLetterJob(
  env: Env,
  message: Message<AnyJob>,
  clock: () => number,
  afterwards: Afterwards,
): Promise<void> {
  return handle(env, message, clock, afterwards, async (ctx, { company: _, ...task }) => {
    if (task.kind === "dispatch") await ctx.enqueue([task]);
    else if (task.kind === "outcome") await recordOutcome(ctx, task);
    // The clock finds a delivery that no job makes.
    else if (task.kind === "deliver") ctx.scheduleClock();
  });
}

function isDueJob(message: Message<AnyJob>): message is Message<DueJob> {
  return message.body.kind === "due";
}

function isPing(message: Message<AnyJob>): message is Message<PingJob> {
  return message.body.kind === "ping";
}

function changesOf({ kind }: AnyJob): readonly ResourceName[] {
  if (kind === "housekeep") return HOURLY_CHANGES;
  if (kind === "deliver") return [];
  return kind === "reconcile" || kind === "refunds" ? PAYMENT_CHANGES : DISPATCH_CHANGES;
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
    // A suspended company's messages wait in their rows; its next hourly job queues them anew. The outcome of what
    // was sent is recorded even so.
    if (company?.status === "active" || (company !== null && job.kind === "outcome")) {
      const environment = { env, origin: env.PUBLIC_ORIGIN ?? "", afterwards };
      const begin = () => systemContext(environment, company, job.kind, changesOf(job), clock());
      await work(begin(), job, { company, begin });
    }
    message.ack();
  } catch (error) {
    logFault("job", error);
    message.retry({ delaySeconds: retryDelay(attempts, Math.random()) });
  }
}

function byName<Named extends { name: string }>(all: readonly Named[]): ReadonlyMap<string, Named> {
  return new Map(all.map((one) => [one.name, one]));
}
