import type { Job } from "#platform/jobs.ts";
import { app } from "./app.ts";
import type { Env } from "./env.ts";
import { runJob, scheduleJobs } from "./jobs.ts";

export { IdempotencyGate, RateLimiter, SlotLock } from "#durable";

export default {
  fetch: app.fetch,
  async queue(batch, env, execution) {
    const afterwards = (work: Promise<unknown>) => execution.waitUntil(work);
    await Promise.all(batch.messages.map((message) => runJob(env, message, Date.now(), afterwards)));
  },
  scheduled: (_controller, env) => scheduleJobs(env, Date.now()),
} satisfies ExportedHandler<Env, Job>;
