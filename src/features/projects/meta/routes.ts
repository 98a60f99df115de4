import { Router } from "#api/operations/operation.ts";
import { getMeta, renderMeta } from "./get-meta.ts";
import { listAssignees } from "./list-assignees.ts";
import { Assignee, AssigneeQuery, Meta } from "./schema.ts";

const statusExample = {
  id: 1,
  slug: "new",
  name: "New",
  category: "proposed" as const,
  position: 1,
  is_default: 1,
  created_at: 0,
  updated_at: 0,
};

export const projectMetaRoutes = new Router("Projects", "/")
  .get({ getProjectsMeta: getMeta }, "/meta", {
    summary: "Read the types, priorities and statuses of work items",
    description: "Types, priorities, state categories, and the company's own statuses by their `slug`.",
    record: { schema: Meta, render: renderMeta },
    example: { result: Meta.parse(renderMeta([statusExample])) },
  })
  .all({ listAssignees }, "/assignees", {
    summary: "List the employees who can be assigned",
    description: "The active employees, by name.",
    query: AssigneeQuery,
    record: { schema: Assignee, render: (row) => row },
    example: {
      result: { id: 4, name: "Kavya Rao", employee_code: "E-014", designation: "Developer" },
    },
  });
