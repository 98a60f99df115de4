import { type SQL, sql } from "drizzle-orm";
import type { Due } from "../due.ts";
import { logFault } from "../log.ts";
import { unattended } from "./atomic.ts";
import { events } from "./tables.ts";

/**
 * Events that no batch has stamped, which is a fault: they are given out without their record, which may have changed since
 * they happened.
 */
export const unstampedEvents: Due = {
  look: () =>
    sql`SELECT json_object('due', EXISTS (SELECT 1 FROM ${events} WHERE ${events.requestId} IS NULL), 'next', NULL)
      AS snapshot`,
  async act(ctx) {
    const [found] = await unattended(ctx, [
      sql`UPDATE ${events} SET at = ${ctx.now}, request_id = ${ctx.requestId}, shape = 0 WHERE ${events.requestId} IS NULL`,
    ]);
    logFault(
      "events",
      new Error(`${found?.rowsAffected ?? 0} events of ${ctx.company.slug} were not stamped`),
    );
    return null;
  },
};

/** The statement that forgets the oldest events from before an instant (epoch ms), `most` of them. */
export function forgetEvents(before: number, most: number): SQL {
  const { sequence, at } = events;
  return sql`DELETE FROM ${events} WHERE ${sequence} IN (
    SELECT ${sequence} FROM ${events} WHERE ${at} < ${before} ORDER BY ${at} LIMIT ${most})`;
}
