/** Work done outside a request: its kind and ids only, for a queue is no place for contents. Its handler types it. */
export type Task = { readonly kind: string; readonly [field: string]: string | number | null };

// https://developers.cloudflare.com/queues/platform/limits/
const MOST_AT_ONCE = 100;

/** A task as it is queued: with the slug of the company whose it is. */
export type Job<Kinds extends Task = Task> = Kinds & { readonly company: string };

/** The task that sends an endpoint what it is to be sent. */
export type DeliverTask = { readonly kind: "deliver"; readonly endpoint: number };

export function deliverTask(endpoint: number): DeliverTask {
  return { kind: "deliver", endpoint };
}

/** The task that sends what the company has asked to be sent, once it is due. */
export const NOTIFY_TASK = { kind: "notify" } as const;

/** Does the work of each item, so many at a time; ends when all have ended. */
export async function withConcurrency<Item>(
  items: readonly Item[],
  lanes: number,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const left = items.values();
  const one = async () => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: lanes }, one));
}

// On one machine the jobs of other companies wait for the end of one, for a queue is handed over batch by batch.
const MOST_MS = 3_000;

/** Waits for the work of a job for 3 seconds at most, and lets it go on after the job then. Throws what the work throws before. */
export async function waitAWhile(
  work: Promise<unknown>,
  afterwards: (work: Promise<unknown>) => void,
): Promise<void> {
  const timer = new AbortController();
  const late = scheduler.wait(MOST_MS, { signal: timer.signal }).then(() => true);
  const isLate = await Promise.race([work.then(() => false), late]).finally(() => timer.abort());
  if (isLate) afterwards(work);
}

/** Queues all of them, as many at a time as a queue takes. */
export async function sendAll<Body>(
  queue: Pick<Queue<Body>, "sendBatch">,
  messages: readonly MessageSendRequest<Body>[],
): Promise<void> {
  for (let start = 0; start < messages.length; start += MOST_AT_ONCE)
    await queue.sendBatch(messages.slice(start, start + MOST_AT_ONCE));
}
