import { Router } from "#api/operations/operation.ts";
import { RecordParams } from "../schema.ts";
import { createComment, listComments } from "./comments.ts";
import { commentExample } from "./examples.ts";
import { Comment, CommentCreate } from "./schema.ts";
import { renderComment } from "./snapshot.ts";

export const commentRoutes = new Router("Projects")
  .list(
    {
      id: "listComments",
      method: "get",
      path: "/projects/:company/projects/:project_id/work-items/:id/comments",
      summary: "List a work item's comments",
      description: "The public comments, oldest first.",
      scope: "projects.read",
      params: RecordParams,
      result: Comment,
      envelope: "success",
      example: { result: commentExample },
      render: renderComment,
      sort: (row) => [row.id],
    },
    listComments,
  )
  .add(
    {
      id: "createComment",
      method: "post",
      changes: ["comment"],
      path: "/projects/:company/projects/:project_id/work-items/:id/comments",
      summary: "Comment on a work item",
      description: "The author is the key's name, unless you send `author`.",
      scope: "projects.write",
      params: RecordParams,
      body: CommentCreate,
      result: Comment,
      envelope: "success",
      status: 201,
      example: {
        body: { body: "Reproduced on Android 14.", author: "Support desk" },
        result: commentExample,
      },
      render: renderComment,
    },
    createComment,
  );
