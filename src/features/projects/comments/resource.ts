import { sql } from "drizzle-orm";
import { resource } from "#contract/resource.ts";
import { commentExample } from "./examples.ts";
import { Comment } from "./schema.ts";
import { renderComment, selectComments } from "./snapshot.ts";
import { workItemComments } from "./tables.ts";

/** What events tell of the public thread of a work item. */
export const commentResource = resource({
  name: "comment",
  scope: "projects.read",
  record: Comment,
  example: commentExample,
  select: (_ctx, id) => selectComments(sql`${workItemComments.id} = ${id}`),
  render: renderComment,
});
