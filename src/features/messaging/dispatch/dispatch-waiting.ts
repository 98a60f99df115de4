import { and, asc, lte, type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#core/context.ts";
import { waitAWhile } from "#core/jobs.ts";
import { messageRecipients, messages } from "#tables/messaging";
import { mostAsked } from "../providers/pause.ts";
import { hasCapacity } from "./capacity.ts";
import { type Attach, dispatchRecipient } from "./dispatch-recipient.ts";
import { dispatchTask } from "./jobs.ts";
import { isUnsent } from "./unsent.ts";

// A job starts no recipient after this time, and makes place for the jobs queued meanwhile.
const SLICE_MS = 2_000;
const AT_ONCE = 4;
const PAGE = 50;
// Four requests for each recipient, five where it carries a file: far below what a call may make (docs/growth.md).
const MOST_PAGES = 4;

const { id, messageId, attempts, leasedUntil } = messageRecipients;

/**
 * Sends what waits for the account that carries a message, for a while and four at a time, and queues another job for the
 * rest. When other jobs use the account's capacity, they send it: a job that frees capacity reads the waiting rows
 * again. `begin` gives a context of now for each recipient. The first failure is thrown at the end.
 */
export async function dispatchWaiting(begin: () => Ctx, message: string, attach: Attach): Promise<void> {
  await waitAWhile(sendWaiting(begin, message, attach), begin().afterwards);
}

async function sendWaiting(begin: () => Ctx, message: string, attach: Attach): Promise<void> {
  const endsAt = begin().now + SLICE_MS;
  for (let page = 0; page < MOST_PAGES && begin().now < endsAt; page += 1) {
    const waiting = await findWaiting(begin(), message);
    if (waiting.length === 0 || !(await sendSome(begin, waiting, { endsAt, attach }))) return;
  }
  await begin().enqueue([dispatchTask(message)]);
}

/** Who waits longest for a message's account, the least tried first; none without capacity or with an open circuit breaker. */
async function findWaiting(ctx: Ctx, message: string): Promise<number[]> {
  const carrierOf = (of: SQL) =>
    sql`(SELECT ${messages.providerId} FROM ${messages} WHERE ${messages.id} = ${of})`;
  const carrier = carrierOf(sql`${message}`);
  const [rows] = await ctx.database.read([
    ctx.db
      .select({ id, attempts, most: mostAsked(carrier).mapWith(Number) })
      .from(messageRecipients)
      .where(
        and(
          isUnsent,
          lte(leasedUntil, ctx.now),
          sql`${carrierOf(sql`${messageId}`)} IS ${carrier}`,
          hasCapacity(ctx, carrier),
        ),
      )
      .orderBy(asc(leasedUntil))
      .limit(PAGE),
  ]);
  // So one that always fails keeps no circuit breaker open.
  const leastTried = rows.sort((one, other) => one.attempts - other.attempts).map((row) => row.id);
  return rows[0]?.most === 1 ? leastTried.slice(0, 1) : leastTried;
}

/** Sends to these until the time is over; false if there was no capacity, or no database. */
async function sendSome(
  begin: () => Ctx,
  waiting: readonly number[],
  { endsAt, attach }: { endsAt: number; attach: Attach },
): Promise<boolean> {
  const left = waiting.values();
  let had = false;
  const sendOneByOne = async () => {
    for (const recipient of left) {
      if (!(await dispatchRecipient(begin(), recipient, attach))) return;
      had = true;
      if (begin().now >= endsAt) return;
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: AT_ONCE }, sendOneByOne));
  for (const one of ended) if (one.status === "rejected") throw one.reason;
  return had;
}
