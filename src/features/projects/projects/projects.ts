import * as z from "zod";
import { Router } from "#api/operations/operation.ts";
import type { CallCtx, WriteCtx } from "#core/context.ts";
import { columnsOf } from "#core/sql/columns.ts";
import { instant } from "#core/sql/fields.ts";
import { firstFree } from "#core/sql/first-free.ts";
import { record } from "#core/sql/record.ts";
import { collectionVerbs } from "#core/write/collection.ts";
import { patchOf } from "#shared/fields/patch.ts";
import { cleanMultilineText, cleanText } from "#shared/fields/text.ts";
import { fieldProblem } from "#shared/problem.ts";
import { projects } from "#tables/projects";
import { ProjectParams } from "../schema.ts";
import { WITHIN_PROJECT } from "../within-project.ts";
import { codeFrom } from "./code.ts";

const sent = z.object({
  name: cleanText({ min: 1, max: 255 }),
  code: z
    .string()
    .trim()
    .toUpperCase()
    .regex(/^[A-Z][A-Z0-9]{1,9}$/, "must be 2 to 10 letters and digits, the first a letter")
    .describe(
      "The first part of the work items' references. Default: from the name. It cannot change once a work item exists.",
    ),
  description: cleanMultilineText({ max: 20_000 }).nullable(),
  status: z.enum(["active", "archived"]),
});
const create = sent.omit({ status: true }).partial({ code: true, description: true });

/** A project. */
export const project = record(
  projects,
  {
    id: z.int(),
    name: z.string(),
    code: z.string().describe("What references of its work items begin with."),
    description: z.string().nullable(),
    status: z.enum(["active", "archived"]),
    open_items: z.int().describe("The number of work items that are neither completed nor removed."),
    created_at: instant,
    updated_at: instant,
  },
  "Project",
);

const verbs = collectionVerbs({
  record: project,
  create,
  columns: (body, isNew) => ({
    ...columnsOf(projects, body),
    code: body.code ?? (isNew ? firstFree(projects.code, codeFrom(body.name ?? "")) : undefined),
  }),
  refusals: {
    code_is_fixed: () => fieldProblem("code", "read_only", "is fixed: work items have references with it"),
  },
});

export const projectRoutes = new Router("Projects", "/projects").collection({
  ...WITHIN_PROJECT,
  params: { record: ProjectParams },
  ids: { one: "Project", list: "listProjects" },
  words: ["a project", "projects"],
  record: project,
  create,
  patch: patchOf(sent),
  verbs: {
    list: verbs.list,
    get: (ctx: CallCtx, { project_id: id }) => verbs.get(ctx, { id }),
    create: verbs.create,
    update: (ctx: WriteCtx, { project_id: id }, body) => verbs.update(ctx, { id }, body),
  },
  problems: { create: ["duplicate_project_code"], update: ["duplicate_project_code"] },
  notes: {
    list: { description: "Newest first." },
    create: {
      summary: "Create a project",
      description:
        "Without a `code`, the API derives one from the name, and adds a number if it is taken. If you send a `code` that is taken, the answer is 409.",
    },
    update: { description: "The `code` can change only until the first work item has a reference." },
  },
});
