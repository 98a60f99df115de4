import { sql } from "drizzle-orm";
import { resource } from "#api/operations/resource.ts";
import { commentExample } from "./examples.ts";
import { Comment } from "./schema.ts";
import { renderComment, selectComments } from "./snapshot.ts";
import { workItemComments } from "./tables.ts";

/** The data of events of a work item's public comments. */
export const commentResource = resource({
  name: "comment",
  scope: "projects.read",
  record: Comment,
  example: commentExample,
  select: (_ctx, id) => selectComments(sql`${workItemComments.id} = ${id}`),
  render: renderComment,
});
