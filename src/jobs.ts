import { findCompany } from "#control/directory.ts";
import { dueCompanies } from "#control/sweep.ts";
import { systemContext } from "#http/call-context.ts";
import { directoryOf } from "#http/environment.ts";
import type { Job } from "#platform/jobs.ts";
import { logFault } from "#platform/log.ts";
import type { Env } from "./env.ts";
import { keepHouse } from "./housekeeping.ts";

const RETRY_SECONDS = 60;

/** The minute cron: one job for each company whose housekeeping is due. */
export async function scheduleJobs(env: Env, now: number): Promise<void> {
  const slugs = await dueCompanies(directoryOf(env), now);
  if (slugs.length > 0)
    await env.JOBS.sendBatch(slugs.map((company) => ({ body: { kind: "housekeep", company } })));
}

/** Runs one job; never throws, for an exception would deliver its neighbours again. */
export async function runJob(
  env: Env,
  message: Message<Job>,
  now: number,
  afterwards: (work: Promise<unknown>) => void,
): Promise<void> {
  const { kind, company: slug } = message.body;
  try {
    const company = await findCompany(directoryOf(env), slug, now);
    if (company?.status === "active") {
      const environment = { env, origin: env.PUBLIC_ORIGIN ?? "", afterwards };
      await keepHouse(systemContext(environment, company, kind));
    }
    message.ack();
  } catch (error) {
    logFault(`job ${kind}`, error);
    message.retry({ delaySeconds: RETRY_SECONDS });
  }
}
