import { sql } from "drizzle-orm";
import type { CallCtx, OutsideCtx } from "#core/context.ts";
import { jsonQuery, parseRows } from "#core/sql/json.ts";
import { asList } from "#core/sql/read-records.ts";
import { read } from "#core/write/replay.ts";
import { fieldProblem, Problem } from "#shared/problem.ts";
import { events } from "#tables/core";
import { eventFeed } from "#tables/events";
import { type EventRow, eventColumns, type MayRead, MOST_BYTES, ofTypes, readableTypes } from "./events.ts";
import type { FeedQuery } from "./schema.ts";

// Of a page that leaves out most events, how many it looks through: no filter makes a page long.
const MOST_LOOKED_THROUGH = 5_000;
// A database server gives no text above 5 MB. The rest of an event beside its snapshot is small.
const PAGE_BYTES = 4_000_000;
const BYTES_BESIDE = 4_000;

const { sequence, snapshot } = events;
// An event that is not stamped yet, and all behind it, are not there yet for who follows.
const head = sql<number>`coalesce((SELECT min(${sequence}) - 1 FROM ${events} WHERE ${events.requestId} IS NULL),
  (SELECT seq FROM sqlite_sequence WHERE name = 'events'), 0)`;
const state = sql<{ head: number; epoch: string; forgotten: number }>`SELECT json_object('head', ${head},
  'epoch', ${eventFeed.epoch}, 'forgotten', ${eventFeed.forgotten}) AS snapshot FROM ${eventFeed}
  WHERE ${eventFeed.id} = 1`;

/**
 * The events behind `after` that the caller may read, oldest first, in one read; without it none, only where the feed ends.
 * 410 where an event behind `after` is no longer kept, or the events are no longer those of `epoch`.
 */
export async function followEvents(
  ctx: CallCtx & OutsideCtx,
  query: FeedQuery & { limit: number },
  mayRead: MayRead,
) {
  const { after, epoch, limit } = query;
  if ((after === undefined) !== (epoch === undefined)) {
    const [missing, sent] = after === undefined ? ["after", "epoch"] : ["epoch", "after"];
    throw fieldProblem(missing, "required", `is required beside ${sent}: take both from the page before`);
  }
  const take = after === undefined ? 0 : limit + 1;
  const looked = { after: after ?? 0, through: (after ?? 0) + MOST_LOOKED_THROUGH };
  const found = sql`SELECT ${sequence} AS place, ${BYTES_BESIDE} + min(ifnull(octet_length(${snapshot}), 0), ${MOST_BYTES}) AS bytes
    FROM ${events} WHERE ${ofTypes(readableTypes(ctx, query.type, mayRead), false) ?? sql`1`}
      AND ${sequence} > ${looked.after} AND ${sequence} <= min(${head}, ${looked.through}) ORDER BY ${sequence} LIMIT ${take}`;
  const counted = sql`SELECT place, sum(bytes) OVER (ROWS UNBOUNDED PRECEDING) AS bytes FROM (${found})`;
  const page = sql<EventRow | null>`SELECT iif(bytes <= ${PAGE_BYTES}, ${eventColumns()}, 'null') AS snapshot
    FROM (${counted}) CROSS JOIN ${events} ON ${sequence} = place`;
  const [states, pages] = await read(ctx, [jsonQuery(ctx, state), jsonQuery(ctx, asList(page))]);
  const [[now], [all = []]] = [parseRows(states), parseRows(pages)];
  if (now === undefined) throw new Error("event_feed has no row");
  const said = { head: now.head, epoch: now.epoch };
  if (after === undefined) return { rows: [] as EventRow[], next_after: now.head, has_more: false, ...said };
  // Also where a database was put back by other means than ours.
  if (epoch !== now.epoch || after > now.head) throw new Problem("feed_restarted");
  if (after < now.forgotten)
    throw new Problem("events_expired", { members: { oldest_sequence: now.forgotten + 1 } });
  const fitting = all.filter((row) => row !== null).slice(0, limit);
  const isCut = fitting.length < all.length;
  const next = isCut ? fitting.at(-1)?.sequence : undefined;
  const reached = next ?? Math.min(now.head, looked.through);
  return { rows: fitting, next_after: reached, has_more: reached < now.head, ...said };
}
