import { type SQL, sql } from "drizzle-orm";
import { events } from "#tables/core";
import type { Due } from "../due.ts";
import { logFault } from "../log.ts";
import { systemWrite } from "./atomic.ts";

/**
 * Events that no batch has stamped, which is a fault: they are given out without their record, which may have changed since
 * they happened.
 */
export const unstampedEvents: Due = {
  look: () =>
    sql`SELECT json_object('due', EXISTS (SELECT 1 FROM ${events} WHERE ${events.requestId} IS NULL), 'next', NULL)
      AS snapshot`,
  async act(ctx) {
    const [found] = await systemWrite(ctx, [
      sql`UPDATE ${events} SET at = ${ctx.now}, request_id = ${ctx.requestId}, shape = 0, is_notified = 1
        WHERE ${events.requestId} IS NULL`,
    ]);
    logFault(
      "events",
      new Error(`${found?.rowsAffected ?? 0} events of ${ctx.company.slug} were not stamped`),
    );
    return null;
  },
};

/** Selects the oldest events from before an instant (epoch ms), `most` of them, but for those that `spared` holds of. */
export function oldEvents(before: number, most: number, spared: SQL): SQL {
  const { sequence, at } = events;
  return sql`SELECT ${sequence} FROM ${events} WHERE ${at} < ${before} AND NOT ${spared}
    ORDER BY ${at}, ${sequence} LIMIT ${most}`;
}

/** The statement that forgets the events that `old` selects. */
export function forgetEvents(old: SQL): SQL {
  return sql`DELETE FROM ${events} WHERE ${events.sequence} IN (${old})`;
}
