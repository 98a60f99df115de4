import { eq, type SQL, sql } from "drizzle-orm";
import type { CallCtx, Ctx, WriteCtx } from "#core/context.ts";
import { requireScope } from "#core/required-scope.ts";
import { type JsonRow, jsonObject, once, selectId } from "#core/sql/json.ts";
import { readList } from "#core/sql/read-records.ts";
import { atomic, refuseIfNone } from "#core/write/atomic.ts";
import type { RecordParams } from "#shared/fields/ids.ts";
import { idBelow, type Listed, type Page } from "#shared/page.ts";
import { fieldProblem, Problem } from "#shared/problem.ts";
import { timestampToWire } from "#shared/time/dates.ts";
import type { FeedCreate } from "./schema.ts";
import { calendarFeeds as feeds } from "./tables.ts";
import { tokensOf } from "./token.ts";

const MOST = 20;
// A person who has its address can read the lessons.
const READING = ["settings:read", "diary:read"] as const;

const shape = {
  id: feeds.id,
  name: feeds.name,
  instructor_id: feeds.instructorId,
  detail: feeds.detail,
  issue: feeds.issue,
  token_hash: feeds.tokenHash,
  created_at: feeds.createdAt,
  updated_at: feeds.updatedAt,
};
/** A feed as the database holds it. */
export type FeedRow = JsonRow<typeof shape>;
const columns = once(() => jsonObject(shape));

function selectFeeds(tail: SQL): SQL<FeedRow> {
  return sql`SELECT ${columns()} AS snapshot FROM ${feeds} WHERE ${tail}`;
}

/** Calendar feeds, newest first. */
export async function listFeeds(
  ctx: CallCtx,
  _params: unknown,
  { page }: { page: Page },
): Promise<Listed<FeedRow>> {
  const tail = sql`${feeds.id} < ${idBelow(page)} ORDER BY ${feeds.id} DESC LIMIT ${page.take}`;
  return readList(ctx, page, selectFeeds(tail));
}

/** Makes a feed of one instructor's lessons or of the whole school's, at an address that cannot be guessed. */
export async function createFeed(ctx: Ctx, _params: unknown, body: FeedCreate): Promise<FeedRow> {
  requireScope(ctx, ...READING);
  return atomic(
    ctx,
    [
      ctx.db.insert(feeds).values({
        operation: ctx.call.id,
        name: body.name,
        instructorId: body.instructor_id ?? null,
        detail: body.detail,
        ...(await issueOf(ctx)),
        createdAt: ctx.now,
        updatedAt: ctx.now,
      }),
    ],
    selectFeeds(eq(feeds.operation, ctx.call.id)),
    {
      limit_reached: () =>
        new Problem("limit_reached", {
          message: `A company has ${MOST} calendar feeds at most`,
          members: { limit: MOST },
        }),
      invalid_instructor: () =>
        fieldProblem("instructor_id", "not_found", "names no instructor", "invalid_instructor"),
    },
  );
}

/** Gives a feed a new address; the old one stops working at once. */
export async function rotateFeed(ctx: Ctx, { id }: RecordParams): Promise<FeedRow> {
  requireScope(ctx, ...READING);
  const here = eq(feeds.id, id);
  const issue = await issueOf(ctx);
  return atomic(
    ctx,
    [
      ctx.db
        .update(feeds)
        .set({ ...issue, updatedAt: ctx.now })
        .where(here),
      refuseIfNone("not_found"),
    ],
    selectFeeds(here),
  );
}

/** Removes a feed: its address ends at once. */
export function deleteFeed(ctx: WriteCtx, { id }: RecordParams): Promise<{ id: number }> {
  return atomic(ctx, [ctx.db.delete(feeds).where(eq(feeds.id, id)), refuseIfNone("not_found")], selectId(id));
}

async function issueOf(ctx: Ctx): Promise<{ issue: string; tokenHash: string }> {
  const [current] = await tokensOf(ctx, ctx.call.id);
  if (current === undefined) throw new Error("There is no master key");
  return { issue: ctx.call.id, tokenHash: current.hash };
}

/** A feed as reads show it. */
export function renderFeed({ issue, token_hash, ...row }: FeedRow) {
  return {
    ...row,
    id: String(row.id),
    created_at: timestampToWire(row.created_at),
    updated_at: timestampToWire(row.updated_at),
  };
}

/** A feed whose address was just issued: the only answers that show it. */
export async function renderIssuedFeed(row: FeedRow, ctx: Ctx) {
  const tokens = await tokensOf(ctx, row.issue);
  const token = tokens.find(({ hash }) => hash === row.token_hash)?.token;
  if (token === undefined) throw new Error(`The token of feed ${row.id} is of no master key`);
  return { ...renderFeed(row), url: `${ctx.origin}/cal/${ctx.company.slug}/${token}.ics` };
}
