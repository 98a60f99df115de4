import type { Ctx } from "#core/context.ts";
import { deliverTask, waitAWhile } from "#core/jobs.ts";
import { type Resources, renderEvent } from "../events.ts";
import { type Leased, leaseDeliveries } from "./lease.ts";
import { type Ended, settle } from "./record-outcome.ts";
import { QUEUED_MS } from "./schedule.ts";
import { type Outcome, sendEvent } from "./send.ts";

// A job begins nothing after this time, and queues the next one.
const SLICE_MS = 2_000;
const TOGETHER_MS = 10;

/** Sends an endpoint what is due to it, some at a time, for a while. `begin` gives a context of now. */
export async function deliver(begin: () => Ctx, endpoint: number, resources: Resources): Promise<void> {
  await waitAWhile(deliverSome(begin, endpoint, resources), begin().afterwards);
}

async function deliverSome(begin: () => Ctx, endpoint: number, resources: Resources): Promise<void> {
  const endsAt = begin().now + SLICE_MS;
  const settleSoon = settler(begin, endpoint);
  for (;;) {
    const ctx = begin();
    const leased = await leaseDeliveries(ctx, endpoint);
    if (leased.length === 0) return;
    const ended = await Promise.allSettled(
      leased.map(async (one) => settleSoon({ leased: one, outcome: await send(ctx, one, resources) })),
    );
    const failed = ended.find((one) => one.status === "rejected");
    if (failed !== undefined) throw failed.reason;
    if (begin().now < endsAt) continue;
    await begin().enqueue([deliverTask(endpoint)]);
    return;
  }
}

async function send(ctx: Ctx, leased: Leased, resources: Resources): Promise<Outcome> {
  const body = JSON.stringify(await renderEvent(leased.event, ctx, resources));
  return sendEvent(ctx, { ...leased, id: leased.event.id, body });
}

/** Settles what ends at about the same time in one batch, for the writes of a company go in one line. */
function settler(begin: () => Ctx, endpoint: number): (ended: Ended) => Promise<void> {
  let waiting: Ended[] = [];
  let settling: Promise<void> | undefined;
  const settleThem = async () => {
    await scheduler.wait(TOGETHER_MS);
    const these = waiting;
    waiting = [];
    settling = undefined;
    const due = await settle(begin(), endpoint, these);
    await queueDue(begin(), endpoint, due);
  };
  return (ended) => {
    waiting.push(ended);
    settling ??= settleThem();
    return settling;
  };
}

/** Queues a job for each time within 15 minutes at which something is due; the rest waits for the company's clock. */
async function queueDue(ctx: Ctx, endpoint: number, due: readonly number[]): Promise<void> {
  const soon = due.filter((at) => at - ctx.now <= QUEUED_MS);
  const delays = new Set(soon.map((at) => Math.max(0, Math.ceil((at - ctx.now) / 1_000))));
  for (const delay of delays) await ctx.enqueue([deliverTask(endpoint)], delay);
}
