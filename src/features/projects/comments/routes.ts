import { Router } from "#contract/operation.ts";
import { RecordParams } from "../schema.ts";
import { createComment, listComments } from "./comments.ts";
import { commentExample } from "./examples.ts";
import { commentResource } from "./resource.ts";
import { Comment, CommentCreate } from "./schema.ts";
import { renderComment } from "./snapshot.ts";

export const commentRoutes = new Router("Projects")
  .list(
    {
      id: "listComments",
      method: "get",
      path: "/projects/:company/projects/:project_id/work-items/:id/comments",
      summary: "List a work item's comments",
      description: "The public thread, oldest first.",
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
      changes: [commentResource],
      path: "/projects/:company/projects/:project_id/work-items/:id/comments",
      summary: "Comment on a work item",
      description: "Signed with the key's name unless `author` is sent.",
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
