import { dueCompanies, sweepCompany } from "#control/sweep.ts";
import { directoryOf } from "#http/environment.ts";
import { logFault } from "#platform/log.ts";
import type { Env, Job } from "./env.ts";

const RETRY_SECONDS = 60;

/** The minute cron: one job for each company whose housekeeping is due. */
export async function scheduleJobs(env: Env, now: number): Promise<void> {
  const slugs = await dueCompanies(directoryOf(env), now);
  if (slugs.length > 0)
    await env.JOBS.sendBatch(slugs.map((company) => ({ body: { kind: "housekeep", company } })));
}

/** Runs one job; never throws, for an exception would deliver its neighbours again. */
export async function runJob(env: Env, message: Message<Job>, now: number): Promise<void> {
  try {
    await sweepCompany(directoryOf(env), message.body.company, now);
    message.ack();
  } catch (error) {
    logFault(`job ${message.body.kind}`, error);
    message.retry({ delaySeconds: RETRY_SECONDS });
  }
}
