import { sweepThrowAways } from "#control/companies/delete-company.ts";
import { queueDueCompanies } from "#control/companies/housekeeping-schedule.ts";
import { sweepReservations } from "#control/companies/slug-reservations.ts";
import { mendOwnCopies } from "#control/copies/mend-copies.ts";
import { type CompanyRecord, findCompany } from "#control/directory.ts";
import { provisionerOf } from "#control/provision/index.ts";
import type { DueJob } from "#durable";
import { systemContext } from "#http/call-context.ts";
import { directoryOf } from "#http/environment.ts";
import { armClock } from "#platform/clock.ts";
import type { Ctx } from "#platform/context.ts";
import { Database } from "#platform/database/database.ts";
import type { Job } from "#platform/jobs.ts";
import { logFault } from "#platform/log.ts";
import type { Env } from "../env.ts";
import { retryDelay } from "../features/messaging/dispatch/backoff.ts";
import { buryRecipient } from "../features/messaging/dispatch/bury-recipient.ts";
import { dispatchRecipient } from "../features/messaging/dispatch/dispatch-recipient.ts";
import type { MessagingTask } from "../features/messaging/dispatch/jobs.ts";
import { recordOutcome } from "../features/messaging/dispatch/record-outcome.ts";
import { requeueMessage } from "../features/messaging/dispatch/requeue.ts";
import { doChores } from "./chores.ts";
import { doDueHourly, runDue } from "./due.ts";
import { reconcilePayments } from "./payment-events.ts";
import { resealCompany, scheduleResealings } from "./reseal.ts";

/**
 * Every job there is: `due` is what a company's clock asks for, `reconcile` asks gateways about open payments, `reseal`
 * seals what is sealed with an older master key anew.
 */
export type AnyJob = DueJob | Job<MessagingTask | { kind: "housekeep" | "reconcile" | "reseal" }>;

// As a queue takes at once.
const MOST_AT_ONCE = 100;

type Afterwards = (work: Promise<unknown>) => void;
/** Does a job; gives the seconds after which it is to be tried again, or undefined when there is nothing left to do. */
type Work = (ctx: Ctx, job: AnyJob, company: CompanyRecord) => Promise<number | undefined>;

/**
 * The minute cron: undoes creations that were cut off, and queues one job for each company whose housekeeping is due.
 * What the queue does not take stays due.
 */
export async function scheduleJobs(env: Env, now: number): Promise<void> {
  const directory = directoryOf(env);
  const undoing = { control: new Database(directory.control), provisioner: () => provisionerOf(env), now };
  await sweepReservations(undoing).catch((error) => logFault("reservations", error));
  await sweepThrowAways(undoing).catch((error) => logFault("throw-away companies", error));
  await scheduleResealings(env, now).catch((error) => logFault("key rotation", error));
  await queueDueCompanies(directory, now, async (slugs) => {
    for (let start = 0; start < slugs.length; start += MOST_AT_ONCE) {
      const some = slugs.slice(start, start + MOST_AT_ONCE);
      await env.JOBS.sendBatch(some.map((company) => ({ body: { kind: "housekeep", company } })));
    }
  });
}

/** Runs one job; never throws, for an exception would deliver its neighbours again. */
export function runJob(
  env: Env,
  message: Message<AnyJob>,
  now: number,
  afterwards: Afterwards,
): Promise<void> {
  if (message.body.kind === "reseal") return resealCompany(env, message, now);
  if (isDueJob(message)) return runDue(env, message, now, afterwards);
  return handle(env, message, now, afterwards, async (ctx, job, company) => {
    if (job.kind === "dispatch") {
      // It may give others their turn, such as those that waited for a provider which works again.
      ctx.afterwards(armClock(env.COMPANY_CLOCK, job.company, now));
      return dispatchRecipient(ctx, job.recipient);
    }
    if (job.kind === "requeue") await requeueMessage(ctx, job.message);
    else if (job.kind === "outcome") await recordOutcome(ctx, job);
    else if (job.kind === "reconcile") await reconcilePayments(ctx);
    else
      await doChores(ctx, [
        () => doDueHourly(env, ctx, company.clockOffsetMs),
        () => mendOwnCopies(directoryOf(env), company),
      ]);
    return undefined;
  });
}

/**
 * Ends a job that was tried too often; never throws either. An outcome is recorded however often it takes; housekeeping
 * repeats the rest.
 */
export function buryJob(
  env: Env,
  message: Message<AnyJob>,
  now: number,
  afterwards: Afterwards,
): Promise<void> {
  return handle(env, message, now, afterwards, async (ctx, job) => {
    if (job.kind === "dispatch") return buryRecipient(ctx, job.recipient);
    if (job.kind === "outcome") await recordOutcome(ctx, job);
    return undefined;
  });
}

function isDueJob(message: Message<AnyJob>): message is Message<DueJob> {
  return message.body.kind === "due";
}

async function handle(
  env: Env,
  message: Message<AnyJob>,
  now: number,
  afterwards: Afterwards,
  work: Work,
): Promise<void> {
  const { body: job, attempts } = message;
  try {
    const company = await findCompany(directoryOf(env), job.company, now);
    // A suspended company's messages wait in their rows; its next housekeeping queues them anew. The outcome of what
    // was sent is recorded even so.
    if (company?.status === "active" || (company !== null && job.kind === "outcome")) {
      const environment = { env, origin: env.PUBLIC_ORIGIN ?? "", afterwards };
      const ctx = systemContext(environment, company, job.kind, now);
      const again = await work(ctx, job, company);
      if (again !== undefined) return message.retry({ delaySeconds: again });
    }
    message.ack();
  } catch (error) {
    logFault(`job ${job.kind}`, error);
    message.retry({ delaySeconds: retryDelay(attempts, Math.random()) });
  }
}
