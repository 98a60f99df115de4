import { eq, type SQL, sql } from "drizzle-orm";
import type { CallCtx, WriteCtx } from "#platform/context.ts";
import { type JsonRow, jsonObject, once, selectId } from "#platform/sql/json.ts";
import { readList, readOne } from "#platform/sql/read-records.ts";
import { atomic, refuseIfNone } from "#platform/write/atomic.ts";
import { phoneDigits } from "#shared/contact/phone.ts";
import type { RecordParams } from "#shared/fields/ids.ts";
import { idBelow, type Listed, type Page } from "#shared/page.ts";
import { timestampToWire } from "#shared/time/dates.ts";
import { isMark } from "./marks.ts";
import { matchOf, numberOf } from "./matching.ts";
import type { OptoutCreate } from "./schema.ts";
import { contactOptouts } from "./tables.ts";

const shape = {
  id: contactOptouts.id,
  channel: contactOptouts.channel,
  address: contactOptouts.address,
  e164: contactOptouts.e164,
  source: contactOptouts.source,
  created_at: contactOptouts.createdAt,
};
type OptoutRow = JsonRow<typeof shape>;
const columns = once(() => jsonObject(shape));

/** Who does not want to be written to, newest first. */
export async function listOptouts(
  ctx: CallCtx,
  _params: unknown,
  { page }: { page: Page },
): Promise<Listed<OptoutRow>> {
  const tail = sql`${contactOptouts.id} < ${idBelow(page)} ORDER BY ${contactOptouts.id} DESC LIMIT ${page.take}`;
  return readList(ctx, page, selectOptouts(tail));
}

export async function getOptout(ctx: CallCtx, { id }: RecordParams): Promise<OptoutRow> {
  return readOne(ctx, selectOptouts(eq(contactOptouts.id, id)));
}

/** Lists a number by hand; 409 when it is listed already. */
export function createOptout(ctx: WriteCtx, _params: unknown, body: OptoutCreate): Promise<OptoutRow> {
  const { channel } = body;
  const address = phoneDigits(body.address);
  const match = matchOf(channel, address);
  const number = numberOf(ctx.company.country, channel, body.address) ?? "";
  return atomic(
    ctx,
    [
      ctx.db
        .insert(contactOptouts)
        .values({ channel, address, match, e164: number, source: "manual", createdAt: ctx.now }),
    ],
    selectOptouts(
      sql`${contactOptouts.channel} = ${channel} AND ${contactOptouts.e164} = ${number} AND ${contactOptouts.match} = ${match}`,
    ),
  );
}

/** Takes a number off the list: the person may be written to again. */
export function deleteOptout(ctx: WriteCtx, { id }: RecordParams): Promise<{ id: number }> {
  return atomic(
    ctx,
    [ctx.db.delete(contactOptouts).where(eq(contactOptouts.id, id)), refuseIfNone("not_found")],
    selectId(id),
  );
}

export function renderOptout(row: OptoutRow) {
  const e164 = !row.e164 || isMark(row.e164) ? null : row.e164;
  return { ...row, id: String(row.id), e164, created_at: timestampToWire(row.created_at) };
}

/** The SELECT of opt-outs; `tail` goes on after WHERE. */
export function selectOptouts(tail: SQL): SQL<OptoutRow> {
  return sql`SELECT ${columns()} AS snapshot FROM ${contactOptouts} WHERE ${tail}`;
}
