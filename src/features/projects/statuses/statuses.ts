import { eq, ne, sql } from "drizzle-orm";
import * as z from "zod";
import { Router } from "#api/operations/operation.ts";
import type { ReadCtx, WriteCtx } from "#core/context.ts";
import { columnsOf } from "#core/sql/columns.ts";
import { described, flag, instant } from "#core/sql/fields.ts";
import { firstFree } from "#core/sql/first-free.ts";
import { type RowOf, record } from "#core/sql/record.ts";
import { atomic, refuseIfNone } from "#core/write/atomic.ts";
import { recordVerbs } from "#core/write/collection.ts";
import type { RecordParams } from "#shared/fields/ids.ts";
import { patchOf } from "#shared/fields/patch.ts";
import { cleanText } from "#shared/fields/text.ts";
import { Problem } from "#shared/problem.ts";
import { workItemStatuses, workItems } from "#tables/projects";
import { STATE_CATEGORIES } from "../vocabulary.ts";
import { touched } from "../work-items/version.ts";

const sent = z.object({
  name: cleanText({ min: 1, max: 100 }).meta({
    description: "Unique; upper and lower case are equal. Items show it as `state`.",
  }),
  category: z.enum(STATE_CATEGORIES).meta({
    description:
      "It decides which items are open and which are done, so it cannot change while an item is in the status.",
  }),
  position: z.int().min(0).max(10_000).meta({ description: "The position on a board. Default: the last." }),
  is_default: z
    .literal(true)
    .meta({ description: "True: it becomes the status of new items, instead of the previous one." }),
});
const slug = z
  .string()
  .regex(/^[a-z0-9]+(_[a-z0-9]+)*$/, "must be lower-case letters and digits, joined by _")
  .max(100)
  .describe(
    "The name for transitions. It cannot be changed. Default: from the name, with a number if it is taken.",
  );
const create = sent.extend({ slug }).partial({ slug: true, position: true, is_default: true });
const patch = patchOf(sent);

/** A status that a work item can be in. */
export const status = record(
  workItemStatuses,
  {
    id: z.int(),
    slug: z.string().describe("What filters call it."),
    name: z.string(),
    category: z.enum(STATE_CATEGORIES),
    position: z.int(),
    is_default: described(flag, "Whether it is taken where a call names none."),
    created_at: instant,
    updated_at: instant,
  },
  "WorkItemStatus",
);
export type StatusRow = RowOf<typeof status>;

export const workItemStatusRoutes = new Router(
  "Settings: Work-item statuses",
  "/work-item-statuses",
).collection({
  ids: { one: "WorkItemStatus", list: "listWorkItemStatuses" },
  words: ["a work-item status", "the work-item statuses"],
  record: status,
  create,
  patch,
  verbs: {
    ...recordVerbs({
      record: status,
      usedBy: (id) => sql`EXISTS (SELECT 1 FROM ${workItemStatuses}
        WHERE ${workItemStatuses.id} = ${id} AND (${workItemStatuses.isDefault} = 1
          OR EXISTS (SELECT 1 FROM ${workItems} WHERE ${workItems.status} = ${workItemStatuses.slug})))`,
    }),
    create: createStatus,
    update: updateStatus,
  },
  problems: {
    create: ["conflict", "duplicate_name"],
    update: ["duplicate_name", "in_use"],
    delete: ["in_use"],
  },
  notes: {
    update: {
      description:
        "Items in the status show its new name. The category cannot change while an item is in it (409 `in_use`).",
    },
    delete: {
      description: "Refused while a work item is in the status, and while it is the status of new items.",
    },
  },
});

/** Adds a status; where no slug is sent, it gets a free one that is made from its name. */
function createStatus(ctx: WriteCtx, _params: unknown, body: z.output<typeof create>): Promise<StatusRow> {
  const slug = body.slug ?? firstFree(workItemStatuses.slug, slugFrom(body.name), "_");
  const last = sql<number>`(SELECT coalesce(max(${workItemStatuses.position}), 0) + 1 FROM ${workItemStatuses})`;
  const { position = last, ...others } = body;
  const columns = { ...columnsOf(workItemStatuses, others), slug, position };
  return atomic(
    ctx,
    [
      ...(body.is_default ? [noDefault(ctx)] : []),
      ctx.db.insert(workItemStatuses).values({ ...columns, createdAt: ctx.now, updatedAt: ctx.now }),
    ],
    status.select(eq(workItemStatuses.name, body.name)),
    {
      "work_item_statuses.slug": () =>
        new Problem("conflict", {
          message: `The slug ${body.slug} is taken: send another`,
          members: { field: "slug" },
        }),
    },
  );
}

/** Changes the fields sent. Items in the status show its new name; their history keeps the name of that time. */
function updateStatus(ctx: WriteCtx, { id }: RecordParams, body: z.output<typeof patch>): Promise<StatusRow> {
  const here = eq(workItemStatuses.id, id);
  const slug = sql`(SELECT ${workItemStatuses.slug} FROM ${workItemStatuses} WHERE ${here})`;
  return atomic(
    ctx,
    [
      ...(body.is_default ? [noDefault(ctx)] : []),
      ctx.db
        .update(workItemStatuses)
        .set({ ...columnsOf(workItemStatuses, body), updatedAt: ctx.now })
        .where(here),
      refuseIfNone("not_found"),
      ...(body.name === undefined
        ? []
        : [
            ctx.db
              .update(workItems)
              .set({ state: body.name, ...touched(ctx) })
              .where(sql`${workItems.status} = ${slug} AND ${ne(workItems.state, body.name)}`),
          ]),
    ],
    status.select(here),
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
