import { Router } from "#api/operations/operation.ts";
import { getMeta, renderMeta } from "./get-meta.ts";
import { assignee, listAssignees } from "./list-assignees.ts";
import { AssigneeQuery, Meta } from "./schema.ts";

export const projectMetaRoutes = new Router("Projects", "/")
  .get({ getProjectsMeta: getMeta }, "/meta", {
    summary: "Read the types, priorities and statuses of work items",
    description: "Types, priorities, state categories, and the company's own statuses by their `slug`.",
    record: { schema: Meta, render: renderMeta },
  })
  .all({ listAssignees }, "/assignees", {
    summary: "List the employees who can be assigned",
    description: "The active employees, by name.",
    query: AssigneeQuery,
    record: assignee,
  });
