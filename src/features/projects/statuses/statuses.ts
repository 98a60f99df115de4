import { eq, ne, sql } from "drizzle-orm";
import type { CallCtx, ReadCtx, WriteCtx } from "#platform/context.ts";
import { selectId } from "#platform/sql/json.ts";
import { readList, readOne } from "#platform/sql/read-records.ts";
import { atomic, refuseIfNone, refuseWhen } from "#platform/write/atomic.ts";
import type { RecordParams } from "#shared/fields/ids.ts";
import { idBelow, type Listed, type Page } from "#shared/page.ts";
import { Problem } from "#shared/problem.ts";
import { workItems } from "../work-items/tables.ts";
import { touched } from "../work-items/version.ts";
import type { StatusCreate, StatusPatch } from "./schema.ts";
import { type StatusRow, selectStatuses } from "./snapshot.ts";
import { workItemStatuses } from "./tables.ts";

/** Work-item statuses, newest first. */
export async function listStatuses(
  ctx: CallCtx,
  _params: unknown,
  { page }: { page: Page },
): Promise<Listed<StatusRow>> {
  const tail = sql`${workItemStatuses.id} < ${idBelow(page)} ORDER BY ${workItemStatuses.id} DESC LIMIT ${page.take}`;
  return readList(ctx, page, selectStatuses(tail));
}

export function getStatus(ctx: CallCtx, { id }: RecordParams): Promise<StatusRow> {
  return readOne(ctx, selectStatuses(eq(workItemStatuses.id, id)));
}

export function createStatus(ctx: WriteCtx, _params: unknown, body: StatusCreate): Promise<StatusRow> {
  const slug = body.slug ?? slugFrom(body.name);
  const last = sql<number>`(SELECT coalesce(max(${workItemStatuses.position}), 0) + 1 FROM ${workItemStatuses})`;
  return atomic(
    ctx,
    [
      ...(body.is_default ? [noDefault(ctx)] : []),
      ctx.db.insert(workItemStatuses).values({
        slug,
        name: body.name,
        category: body.category,
        position: body.position ?? last,
        isDefault: Number(body.is_default ?? false),
        createdAt: ctx.now,
        updatedAt: ctx.now,
      }),
    ],
    selectStatuses(eq(workItemStatuses.slug, slug)),
    {
      "work_item_statuses.slug": () =>
        new Problem("conflict", { message: `The slug ${slug} is taken: send another` }),
    },
  );
}

/** Changes the fields sent. Items in the status show its new name; their history keeps the name of that time. */
export function updateStatus(ctx: WriteCtx, { id }: RecordParams, patch: StatusPatch): Promise<StatusRow> {
  const here = eq(workItemStatuses.id, id);
  const slug = sql`(SELECT ${workItemStatuses.slug} FROM ${workItemStatuses} WHERE ${here})`;
  return atomic(
    ctx,
    [
      ...(patch.is_default ? [noDefault(ctx)] : []),
      ctx.db
        .update(workItemStatuses)
        .set({
          name: patch.name,
          category: patch.category,
          position: patch.position,
          isDefault: patch.is_default && 1,
          updatedAt: ctx.now,
        })
        .where(here),
      refuseIfNone("not_found"),
      ...(patch.name === undefined
        ? []
        : [
            ctx.db
              .update(workItems)
              .set({ state: patch.name, ...touched(ctx) })
              .where(sql`${workItems.status} = ${slug} AND ${ne(workItems.state, patch.name)}`),
          ]),
    ],
    selectStatuses(here),
  );
}

/** Removes a status that no item is in, and that is not the status of new items. */
export function deleteStatus(ctx: WriteCtx, { id }: RecordParams): Promise<{ id: number }> {
  const here = eq(workItemStatuses.id, id);
  return atomic(
    ctx,
    [
      refuseWhen(
        sql`EXISTS (SELECT 1 FROM ${workItemStatuses} WHERE ${here} AND (${workItemStatuses.isDefault} = 1
          OR EXISTS (SELECT 1 FROM ${workItems} WHERE ${workItems.status} = ${workItemStatuses.slug})))`,
        "in_use",
      ),
      ctx.db.delete(workItemStatuses).where(here),
      refuseIfNone("not_found"),
    ],
    selectId(id),
  );
}

function noDefault(ctx: ReadCtx) {
  return ctx.db
    .update(workItemStatuses)
    .set({ isDefault: 0, updatedAt: ctx.now })
    .where(eq(workItemStatuses.isDefault, 1));
}

function slugFrom(name: string): string {
  const words = name
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  return words?.join("_") ?? "status";
}
