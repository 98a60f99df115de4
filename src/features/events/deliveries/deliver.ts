import type { Resource } from "#contract/resource.ts";
import type { Ctx } from "#platform/context.ts";
import { deliverTask } from "#platform/jobs.ts";
import { renderEvent } from "../events.ts";
import { claimDelivery } from "./claim.ts";
import { QUEUED_MS } from "./schedule.ts";
import { sendEvent } from "./send.ts";
import { settle } from "./settle.ts";

// A job begins nothing after this time, and queues what it found.
const SLICE_MS = 2_000;
// After this time a job ends, and its request goes on: on one machine other companies' jobs wait for its end.
const MOST_MS = 3_000;

type Resources = ReadonlyMap<string, Resource>;

/** Makes a delivery, and then those of its endpoint that found no room, for a while. `begin` gives a context of now. */
export async function deliver(begin: () => Ctx, delivery: number, resources: Resources): Promise<void> {
  const delivering = deliverSome(begin, delivery, resources);
  const timer = new AbortController();
  const late = scheduler.wait(MOST_MS, { signal: timer.signal }).then(() => true);
  const isLate = await Promise.race([delivering.then(() => false), late]).finally(() => timer.abort());
  if (isLate) begin().afterwards(delivering);
}

async function deliverSome(begin: () => Ctx, first: number, resources: Resources): Promise<void> {
  const endsAt = begin().now + SLICE_MS;
  let next: number | undefined = first;
  while (next !== undefined) {
    next = await deliverOne(begin, next, resources);
    if (next === undefined || begin().now < endsAt) continue;
    await begin().enqueue([deliverTask(next)]);
    return;
  }
}

/** Gives another delivery to the same endpoint whose job found no room. */
async function deliverOne(
  begin: () => Ctx,
  delivery: number,
  resources: Resources,
): Promise<number | undefined> {
  const ctx = begin();
  const claimed = await claimDelivery(ctx, delivery);
  if (claimed === undefined) return undefined;
  const body = JSON.stringify(await renderEvent(claimed.event, ctx, resources));
  const outcome = await sendEvent(ctx, { ...claimed, id: claimed.event.id, body });
  const { due, turnedAway } = await settle(begin(), claimed, outcome);
  await queueDue(begin(), due);
  return turnedAway;
}

/** Queues what is due within 15 minutes, each for its time; the rest waits in its row for the company's clock. */
async function queueDue(ctx: Ctx, due: readonly { id: number; at: number }[]): Promise<void> {
  const soon = due.filter(({ id, at }) => id > 0 && at - ctx.now <= QUEUED_MS);
  const byDelay = Map.groupBy(soon, ({ at }) => Math.max(0, Math.ceil((at - ctx.now) / 1_000)));
  for (const [delay, some] of byDelay)
    await ctx.enqueue(
      some.map(({ id }) => deliverTask(id)),
      delay,
    );
}
