import { withConcurrency } from "#core/jobs.ts";
import { asWork } from "#core/log.ts";
import { declareUpgrade } from "#durable";
import { type Env, isUsable } from "./env.ts";
import { appOf } from "./wiring/areas.ts";
import type { AnyJob } from "./wiring/jobs.ts";

// A second deployment has a word before the names of its queues.
const DEAD_LETTERS = /-dlq$/;
const DELIVERIES = /^(.+-)?deliveries$/;
// A call has six connections that wait for an answer
// (https://developers.cloudflare.com/workers/platform/limits/#simultaneous-open-connections). On one machine it has as many
// as it likes, and gets all that waits in one batch (src/self-host/queues.ts).
const DELIVERIES_AT_ONCE = 6;
const DELIVERIES_DECLARED = 10;

declareUpgrade(async (env, company) => {
  const { upgradeCompany } = await import("./wiring/upgrade.ts");
  return upgradeCompany(env as Env, company, Date.now());
});

export { CompanyClock, IdempotencyGate, MessagingQuota, RateLimiter, SlotPacer } from "#durable";

export default {
  async fetch(request, env, execution) {
    const app = await appOf(new URL(request.url).pathname);
    const answer = Promise.resolve(app.fetch(request, env, execution));
    // A call whose client has gone is finished too, and so is its turn at the database.
    execution.waitUntil(answer);
    return answer;
  },
  async queue(batch, env, execution) {
    if (!isUsable(env)) return batch.retryAll({ delaySeconds: 60 });
    const { deadLetterJob, runJob } = await import("./wiring/jobs.ts");
    const handle = DEAD_LETTERS.test(batch.queue) ? deadLetterJob : runJob;
    const afterwards = (work: Promise<unknown>) => execution.waitUntil(work);
    const many = batch.messages.length;
    const isShared = DELIVERIES.test(batch.queue) && many <= DELIVERIES_DECLARED;
    const lanes = isShared ? DELIVERIES_AT_ONCE : many;
    await withConcurrency(batch.messages, lanes, (message) =>
      asWork(workOf(message.body), () => handle(env, message, Date.now, afterwards)),
    );
  },
  async scheduled(_controller, env) {
    if (!isUsable(env)) return;
    const { scheduleJobs } = await import("./wiring/jobs.ts");
    await asWork({ operation: "cron" }, () => scheduleJobs(env, Date.now()));
  },
} satisfies ExportedHandler<Env, AnyJob>;

/** A ping is of no company. */
function workOf({ kind, company }: AnyJob) {
  return { operation: `job ${kind}`, company: company || undefined };
}
