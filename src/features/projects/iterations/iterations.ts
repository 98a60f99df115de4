import * as z from "zod";
import { Router } from "#api/operations/operation.ts";
import { columnsOf } from "#core/sql/columns.ts";
import { from, instant } from "#core/sql/fields.ts";
import { record } from "#core/sql/record.ts";
import type { Some } from "#core/write/collection.ts";
import { idReference } from "#shared/fields/ids.ts";
import { patchOf } from "#shared/fields/patch.ts";
import { isoDate } from "#shared/time/dates.ts";
import { iterations } from "#tables/projects";
import { derivedPath, nodeName } from "../schema.ts";
import { nodePath, PARENT_REFUSALS, pathIn, requireParent, TREE_NOTES, TREE_PROBLEMS } from "../tree.ts";
import { ITERATION_TYPES } from "../vocabulary.ts";
import { datesOutOfOrder, projectVerbs, WITHIN_PROJECT } from "../within-project.ts";

const sent = z.object({
  name: nodeName,
  parent_id: idReference.nullable().describe("The parent, an iteration of the same project. Null: the top."),
  type: z.enum(ITERATION_TYPES).nullable(),
  start_date: isoDate.nullable(),
  end_date: isoDate.nullable(),
});
const beside = { path: derivedPath };
const create = sent.partial().required({ name: true }).extend(beside);

/** Times that work is planned for, a tree. */
export const iteration = record(
  iterations,
  {
    id: z.int(),
    project_id: z.int(),
    parent_id: z.int().nullable(),
    name: z.string(),
    type: z.enum(ITERATION_TYPES).nullable(),
    start_date: z.string().nullable(),
    end_date: z.string().nullable(),
    path: from(pathIn(iterations), nodePath),
    created_at: instant,
    updated_at: instant,
  },
  "Iteration",
);

const { get: _, ...verbs } = projectVerbs({
  record: iteration,
  guards: (projectId, { parent_id: parentId }, id) => requireParent(iterations, projectId, parentId, id),
  columns: (body: Some<z.output<typeof create>>) => columnsOf(iterations, body, ["path"]),
  refusals: { ...PARENT_REFUSALS, ...datesOutOfOrder("end_date") },
});

export const iterationRoutes = new Router("Projects", "/projects").collection({
  ...WITHIN_PROJECT,
  path: "/:project_id/iterations",
  ids: { one: "Iteration", list: "listIterations" },
  words: ["an iteration", "iterations"],
  record: iteration,
  create,
  patch: patchOf(sent, beside),
  verbs,
  problems: TREE_PROBLEMS,
  notes: {
    ...TREE_NOTES,
    create: { summary: "Create an iteration", description: "Its dates may be outside its parent's." },
    update: { ...TREE_NOTES.update, summary: "Change or move an iteration" },
  },
});
