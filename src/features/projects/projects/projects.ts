import { eq, sql } from "drizzle-orm";
import * as z from "zod";
import { Router } from "#api/operations/operation.ts";
import type { CallCtx, WriteCtx } from "#core/context.ts";
import { columnsOf } from "#core/sql/columns.ts";
import { instant } from "#core/sql/fields.ts";
import { firstFree } from "#core/sql/first-free.ts";
import { readOne } from "#core/sql/read-records.ts";
import { type RowOf, record } from "#core/sql/record.ts";
import { atomic, refuseIfNone } from "#core/write/atomic.ts";
import { recordVerbs } from "#core/write/collection.ts";
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
const patch = patchOf(sent);

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
type ProjectRow = RowOf<typeof project>;

export const projectRoutes = new Router("Projects", "/projects").collection({
  ...WITHIN_PROJECT,
  params: { record: ProjectParams },
  ids: { one: "Project", list: "listProjects" },
  words: ["a project", "projects"],
  record: project,
  create,
  patch,
  verbs: {
    list: recordVerbs({ record: project }).list,
    get: (ctx: CallCtx, { project_id: id }) => readOne(ctx, project.select(eq(projects.id, id))),
    create: createProject,
    update: updateProject,
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

/** Opens a project; where no code is sent, it gets a free one that is made from the name. */
function createProject(ctx: WriteCtx, _params: unknown, body: z.output<typeof create>): Promise<ProjectRow> {
  const code = body.code ?? firstFree(projects.code, codeFrom(body.name));
  const row = { ...columnsOf(projects, body), code, createdAt: ctx.now, updatedAt: ctx.now };
  return atomic(
    ctx,
    [ctx.db.insert(projects).values({ ...row, operation: ctx.call.id })],
    project.select(sql`${projects.operation} = ${ctx.call.id}`),
  );
}

/** Changes the fields sent; the code can change only while no work item has it in its reference. */
function updateProject(
  ctx: WriteCtx,
  { project_id: id }: ProjectParams,
  body: z.output<typeof patch>,
): Promise<ProjectRow> {
  const here = eq(projects.id, id);
  const set = { ...columnsOf(projects, body), updatedAt: ctx.now };
  return atomic(
    ctx,
    [ctx.db.update(projects).set(set).where(here), refuseIfNone("not_found")],
    project.select(here),
    {
      code_is_fixed: () => fieldProblem("code", "read_only", "is fixed: work items have references with it"),
    },
  );
}
