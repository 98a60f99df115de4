import { eq, ne, sql } from "drizzle-orm";
import * as z from "zod";
import { Router } from "#api/operations/operation.ts";
import type { ReadCtx } from "#core/context.ts";
import { columnsOf } from "#core/sql/columns.ts";
import { described, flag, instant } from "#core/sql/fields.ts";
import { firstFree } from "#core/sql/first-free.ts";
import { type RowOf, record } from "#core/sql/record.ts";
import { collectionVerbs } from "#core/write/collection.ts";
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

const last = sql<number>`(SELECT coalesce(max(${workItemStatuses.position}), 0) + 1 FROM ${workItemStatuses})`;

export const workItemStatusRoutes = new Router(
  "Settings: Work-item statuses",
  "/work-item-statuses",
).collection({
  ids: { one: "WorkItemStatus", list: "listWorkItemStatuses" },
  words: ["a work-item status", "the work-item statuses"],
  record: status,
  create,
  patch: patchOf(sent),
  verbs: collectionVerbs({
    record: status,
    create,
    made: ({ name }) => eq(workItemStatuses.name, name),
    columns: ({ slug: given, position, ...others }, isNew) => ({
      ...columnsOf(workItemStatuses, others),
      position: position ?? (isNew ? last : undefined),
      slug: isNew ? (given ?? firstFree(workItemStatuses.slug, slugFrom(others.name ?? ""), "_")) : undefined,
    }),
    guards: ({ is_default: isDefault, name }, id, ctx) => [
      ...(isDefault ? [noDefault(ctx)] : []),
      ...(name === undefined || id === undefined ? [] : [rename(ctx, id, name)]),
    ],
    usedBy: (id) => sql`EXISTS (SELECT 1 FROM ${workItemStatuses}
      WHERE ${workItemStatuses.id} = ${id} AND (${workItemStatuses.isDefault} = 1
        OR EXISTS (SELECT 1 FROM ${workItems} WHERE ${workItems.status} = ${workItemStatuses.slug})))`,
    refusals: ({ slug: taken }) => ({
      "work_item_statuses.slug": () =>
        new Problem("conflict", {
          message: `The slug ${taken} is taken: send another`,
          members: { field: "slug" },
        }),
    }),
  }),
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

/** The statement that gives the items in a status its new name; their history keeps the name of that time. */
function rename(ctx: ReadCtx, id: number, name: string) {
  const slug = sql`(SELECT ${workItemStatuses.slug} FROM ${workItemStatuses} WHERE ${workItemStatuses.id} = ${id})`;
  return ctx.db
    .update(workItems)
    .set({ state: name, ...touched(ctx) })
    .where(sql`${workItems.status} = ${slug} AND ${ne(workItems.state, name)}`);
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
