import { type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { Router } from "#api/operations/operation.ts";
import { resource } from "#api/operations/resource.ts";
import type { CallCtx, WriteCtx } from "#core/context.ts";
import { instant } from "#core/sql/fields.ts";
import { readListOf } from "#core/sql/read-records.ts";
import { type RowOf, record } from "#core/sql/record.ts";
import { atomic } from "#core/write/atomic.ts";
import { refusedMember } from "#shared/fields/refused-member.ts";
import { cleanText, pastedText } from "#shared/fields/text.ts";
import { idAbove, type Listed, type Page } from "#shared/page.ts";
import { workItemComments, workItems } from "#tables/projects";
import { RecordParams } from "../schema.ts";
import { requireRecord, WITHIN_PROJECT } from "../within-project.ts";
import { insertComment } from "./insert.ts";

const create = z.object({
  body: pastedText({ max: 10_000 }).meta({ description: "Plain text, stored as sent." }),
  author: cleanText({ min: 1, max: 120 }).optional().meta({ description: "Default: the name of the key." }),
  is_internal: refusedMember("not_accepted", "is not accepted: a comment of the API is seen by all"),
});

const comment = record(
  workItemComments,
  {
    id: z.int(),
    body: z.string(),
    author: z.string().describe("The name that was sent, or that of the key."),
    created_at: instant,
  },
  "Comment",
);
type CommentRow = RowOf<typeof comment>;

/** The data of events of a work item's public comments. */
export const commentResource = resource({
  name: "comment",
  scope: "projects.read",
  record: comment,
  select: (_ctx, id) => selectComments(sql`${workItemComments.id} = ${id}`),
});

export const commentRoutes = new Router("Projects", "/projects").collection({
  ...WITHIN_PROJECT,
  params: { list: RecordParams, record: RecordParams },
  path: "/:project_id/work-items/:id/comments",
  ids: { one: "Comment", list: "listComments" },
  words: ["a comment", "a work item's comments"],
  record: comment,
  create,
  verbs: { list: listComments, create: createComment },
  changes: { create: ["comment"] },
  notes: {
    list: { description: "The public comments, oldest first." },
    create: {
      summary: "Comment on a work item",
      description: "The author is the key's name, unless you send `author`.",
    },
  },
});

/** The SELECT of comments of the public thread: internal notes are never among them. */
function selectComments(tail: SQL): SQL<CommentRow> {
  return comment.select(sql`${workItemComments.isInternal} = 0 AND ${tail}`);
}

/** The public thread of a work item, oldest first. */
async function listComments(
  ctx: CallCtx,
  { project_id: projectId, id }: RecordParams,
  { page }: { page: Page },
): Promise<Listed<CommentRow>> {
  const item = sql`SELECT 1 FROM ${workItems} WHERE ${workItems.projectId} = ${projectId} AND ${workItems.id} = ${id}`;
  const tail = sql`${workItemComments.workItemId} = ${id} AND ${workItemComments.id} > ${idAbove(page)}
    ORDER BY ${workItemComments.id} LIMIT ${page.take}`;
  return readListOf(ctx, item, page, selectComments(tail));
}

function createComment(
  ctx: WriteCtx,
  { project_id: projectId, id }: RecordParams,
  { body, author }: z.output<typeof create>,
): Promise<CommentRow> {
  return atomic(
    ctx,
    [requireRecord(workItems, projectId, id), insertComment(ctx, id, body, author)],
    selectComments(sql`${workItemComments.operation} = ${ctx.call.id}`),
  );
}
