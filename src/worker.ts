import { app } from "./app.ts";
import type { Env, Job } from "./env.ts";
import { runJob, scheduleJobs } from "./jobs.ts";

export { IdempotencyGate, RateLimiter } from "#durable";

export default {
  fetch: app.fetch,
  async queue(batch, env) {
    await Promise.all(batch.messages.map((message) => runJob(env, message, Date.now())));
  },
  scheduled: (_controller, env) => scheduleJobs(env, Date.now()),
} satisfies ExportedHandler<Env, Job>;
