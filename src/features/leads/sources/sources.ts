import { eq, type SQL, sql } from "drizzle-orm";
import type { CallCtx, WriteCtx } from "#platform/context.ts";
import { type JsonRow, jsonObject, once, selectId } from "#platform/sql/json.ts";
import { readList, readOne } from "#platform/sql/read-records.ts";
import { atomic, refuseIfNone } from "#platform/write/atomic.ts";
import type { RecordParams } from "#shared/fields/ids.ts";
import { idBelow, type Listed, type Page } from "#shared/page.ts";
import type { SourceCreate, SourcePatch } from "./schema.ts";
import { leadSources } from "./tables.ts";

const shape = {
  id: leadSources.id,
  slug: leadSources.slug,
  name: leadSources.name,
  is_active: leadSources.isActive,
};
type SourceRow = JsonRow<typeof shape>;
const columns = once(() => jsonObject(shape));

/** All lead sources, inactive ones too, newest first. */
export async function listSourceSettings(
  ctx: CallCtx,
  _params: unknown,
  { page }: { page: Page },
): Promise<Listed<SourceRow>> {
  const tail = sql`${leadSources.id} < ${idBelow(page)} ORDER BY ${leadSources.id} DESC LIMIT ${page.take}`;
  return readList(ctx, page, selectSources(tail));
}

export function getSource(ctx: CallCtx, { id }: RecordParams): Promise<SourceRow> {
  return readOne(ctx, selectSources(eq(leadSources.id, id)));
}

export function createSource(ctx: WriteCtx, _params: unknown, body: SourceCreate): Promise<SourceRow> {
  const { slug, name } = body;
  return atomic(
    ctx,
    [ctx.db.insert(leadSources).values({ slug, name, isActive: Number(body.is_active ?? true) })],
    selectSources(eq(leadSources.slug, slug)),
  );
}

export function updateSource(ctx: WriteCtx, { id }: RecordParams, patch: SourcePatch): Promise<SourceRow> {
  const isActive = patch.is_active === undefined ? undefined : Number(patch.is_active);
  const here = eq(leadSources.id, id);
  return atomic(
    ctx,
    [ctx.db.update(leadSources).set({ name: patch.name, isActive }).where(here), refuseIfNone("not_found")],
    selectSources(here),
  );
}

/** Removes a source; the leads that came from it keep its slug. */
export function deleteSource(ctx: WriteCtx, { id }: RecordParams): Promise<{ id: number }> {
  return atomic(
    ctx,
    [ctx.db.delete(leadSources).where(eq(leadSources.id, id)), refuseIfNone("not_found")],
    selectId(id),
  );
}

export function renderSourceSettings(row: SourceRow) {
  return { ...row, is_active: row.is_active === 1 };
}

function selectSources(tail: SQL): SQL<SourceRow> {
  return sql`SELECT ${columns()} AS snapshot FROM ${leadSources} WHERE ${tail}`;
}
