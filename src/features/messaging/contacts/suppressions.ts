import { and, eq, lte, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { CallCtx, ReadCtx, WriteCtx } from "#platform/context.ts";
import { type JsonRow, jsonObject, once, selectId } from "#platform/sql/json.ts";
import { readList, readOne } from "#platform/sql/read-records.ts";
import { atomic, refuseIfNone } from "#platform/write/atomic.ts";
import type { Suppression } from "#providers/delivery";
import type { RecordParams } from "#shared/fields/ids.ts";
import { idBelow, type Listed, type Page } from "#shared/page.ts";
import { timestampOrNull, timestampToWire } from "#shared/time/dates.ts";
import { ERASED, isMark } from "./marks.ts";
import type { SuppressionCreate } from "./schema.ts";
import { emailSuppressions as suppressions } from "./tables.ts";

const shape = {
  id: suppressions.id,
  email: suppressions.email,
  scope: suppressions.scope,
  reason: suppressions.reason,
  expires_at: suppressions.expiresAt,
  created_at: suppressions.createdAt,
};
type SuppressionRow = JsonRow<typeof shape>;
const columns = once(() => jsonObject(shape));

/** Addresses that no e-mail goes to, newest first. */
export async function listSuppressions(
  ctx: CallCtx,
  _params: unknown,
  { page }: { page: Page },
): Promise<Listed<SuppressionRow>> {
  const tail = sql`${suppressions.id} < ${idBelow(page)} ORDER BY ${suppressions.id} DESC LIMIT ${page.take}`;
  return readList(ctx, page, selectSuppressions(tail));
}

export async function getSuppression(ctx: CallCtx, { id }: RecordParams): Promise<SuppressionRow> {
  return readOne(ctx, selectSuppressions(eq(suppressions.id, id)));
}

/** Lists an address by hand, in place of an entry that has expired; 409 when it is listed already. */
export function createSuppression(
  ctx: WriteCtx,
  _params: unknown,
  { email: given, scope, reason, expires_at }: SuppressionCreate,
): Promise<SuppressionRow> {
  const email = given.toLowerCase();
  const here = sql`${suppressions.email} = ${email} AND ${suppressions.scope} = ${scope}`;
  return atomic(
    ctx,
    [
      ctx.db.delete(suppressions).where(and(here, lte(suppressions.expiresAt, ctx.now))),
      ctx.db
        .insert(suppressions)
        .values({ email, scope, reason, expiresAt: expires_at ?? null, createdAt: ctx.now }),
    ],
    selectSuppressions(here),
  );
}

/** An address that bounced, or whose owner complained: no e-mail goes to it any more. */
export function suppress(ctx: ReadCtx, { email, reason }: Suppression): SQLWrapper {
  return ctx.db
    .insert(suppressions)
    .values({ email: email.toLowerCase(), scope: "all", reason, createdAt: ctx.now })
    .onConflictDoUpdate({
      target: [suppressions.email, suppressions.scope],
      set: { reason, expiresAt: null },
    });
}

/** Takes an address off the list. */
export function deleteSuppression(ctx: WriteCtx, { id }: RecordParams): Promise<{ id: number }> {
  return atomic(
    ctx,
    [ctx.db.delete(suppressions).where(eq(suppressions.id, id)), refuseIfNone("not_found")],
    selectId(id),
  );
}

export function renderSuppression(row: SuppressionRow) {
  return {
    ...row,
    id: String(row.id),
    email: isMark(row.email) ? ERASED : row.email,
    expires_at: timestampOrNull(row.expires_at),
    created_at: timestampToWire(row.created_at),
  };
}

function selectSuppressions(tail: SQL): SQL<SuppressionRow> {
  return sql`SELECT ${columns()} AS snapshot FROM ${suppressions} WHERE ${tail}`;
}
