import { eq, type SQL, sql } from "drizzle-orm";
import type { CallCtx, WriteCtx } from "#platform/context.ts";
import { type JsonRow, jsonObject, once, selectId } from "#platform/sql/json.ts";
import { readList, readOne } from "#platform/sql/read-records.ts";
import { atomic, refuseIfNone, refuseWhen } from "#platform/write/atomic.ts";
import type { RecordParams } from "#shared/fields/ids.ts";
import { idBelow, type Listed, type Page } from "#shared/page.ts";
import { timestampToWire } from "#shared/time/dates.ts";
import { products } from "../products/tables.ts";
import type { CategoryCreate, CategoryPatch } from "./schema.ts";
import { categories } from "./tables.ts";

const shape = {
  id: categories.id,
  name: categories.name,
  created_at: categories.createdAt,
  updated_at: categories.updatedAt,
};
type CategoryRow = JsonRow<typeof shape>;
const columns = once(() => jsonObject(shape));

/** Categories, newest first. */
export async function listCategorySettings(
  ctx: CallCtx,
  _params: unknown,
  { page }: { page: Page },
): Promise<Listed<CategoryRow>> {
  const tail = sql`${categories.id} < ${idBelow(page)} ORDER BY ${categories.id} DESC LIMIT ${page.take}`;
  return readList(ctx, page, selectCategories(tail));
}

export async function getCategory(ctx: CallCtx, { id }: RecordParams): Promise<CategoryRow> {
  return readOne(ctx, selectCategories(eq(categories.id, id)));
}

export function createCategory(ctx: WriteCtx, _params: unknown, body: CategoryCreate): Promise<CategoryRow> {
  const row = { name: body.name, createdAt: ctx.now, updatedAt: ctx.now };
  return atomic(
    ctx,
    [ctx.db.insert(categories).values(row)],
    selectCategories(eq(categories.name, body.name)),
  );
}

export function updateCategory(
  ctx: WriteCtx,
  { id }: RecordParams,
  patch: CategoryPatch,
): Promise<CategoryRow> {
  const here = eq(categories.id, id);
  return atomic(
    ctx,
    [
      ctx.db.update(categories).set({ name: patch.name, updatedAt: ctx.now }).where(here),
      refuseIfNone("not_found"),
    ],
    selectCategories(here),
  );
}

/** Removes a category that no product is in. */
export function deleteCategory(ctx: WriteCtx, { id }: RecordParams): Promise<{ id: number }> {
  return atomic(
    ctx,
    [
      refuseWhen(sql`EXISTS (SELECT 1 FROM ${products} WHERE ${products.categoryId} = ${id})`, "in_use"),
      ctx.db.delete(categories).where(eq(categories.id, id)),
      refuseIfNone("not_found"),
    ],
    selectId(id),
  );
}

export function renderCategory(row: CategoryRow) {
  return {
    ...row,
    id: String(row.id),
    created_at: timestampToWire(row.created_at),
    updated_at: timestampToWire(row.updated_at),
  };
}

function selectCategories(tail: SQL): SQL<CategoryRow> {
  return sql`SELECT ${columns()} AS snapshot FROM ${categories} WHERE ${tail}`;
}
