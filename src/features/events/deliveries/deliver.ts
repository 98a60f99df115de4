import type { Resource } from "#contract/resource.ts";
import type { Ctx } from "#platform/context.ts";
import { deliverTask, waitAWhile } from "#platform/jobs.ts";
import { renderEvent } from "../events.ts";
import { type Claimed, claimDeliveries } from "./claim.ts";
import { QUEUED_MS } from "./schedule.ts";
import { sendEvent } from "./send.ts";
import { settle } from "./settle.ts";

// A job begins nothing after this time, and queues the next one.
const SLICE_MS = 2_000;

type Resources = ReadonlyMap<string, Resource>;

/** Sends an endpoint what is due to it, some at a time, for a while. `begin` gives a context of now. */
export async function deliver(begin: () => Ctx, endpoint: number, resources: Resources): Promise<void> {
  await waitAWhile(deliverSome(begin, endpoint, resources), begin().afterwards);
}

async function deliverSome(begin: () => Ctx, endpoint: number, resources: Resources): Promise<void> {
  const endsAt = begin().now + SLICE_MS;
  for (;;) {
    const ctx = begin();
    const claimed = await claimDeliveries(ctx, endpoint);
    if (claimed.length === 0) return;
    const ended = await Promise.allSettled(
      claimed.map((delivery) => deliverOne(begin, ctx, delivery, resources)),
    );
    const failed = ended.find((one) => one.status === "rejected");
    if (failed !== undefined) throw failed.reason;
    if (begin().now < endsAt) continue;
    await begin().enqueue([deliverTask(endpoint)]);
    return;
  }
}

async function deliverOne(begin: () => Ctx, ctx: Ctx, claimed: Claimed, resources: Resources): Promise<void> {
  const body = JSON.stringify(await renderEvent(claimed.event, ctx, resources));
  const outcome = await sendEvent(ctx, { ...claimed, id: claimed.event.id, body });
  const due = await settle(begin(), claimed, outcome);
  await queueDue(begin(), claimed.endpoint.id, due);
}

/** Queues a job for each time within 15 minutes at which something is due; the rest waits for the company's clock. */
async function queueDue(ctx: Ctx, endpoint: number, due: readonly number[]): Promise<void> {
  const soon = due.filter((at) => at - ctx.now <= QUEUED_MS);
  const delays = new Set(soon.map((at) => Math.max(0, Math.ceil((at - ctx.now) / 1_000))));
  for (const delay of delays) await ctx.enqueue([deliverTask(endpoint)], delay);
}
