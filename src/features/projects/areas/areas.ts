import * as z from "zod";
import { Router } from "#api/operations/operation.ts";
import { columnsOf } from "#core/sql/columns.ts";
import { from } from "#core/sql/fields.ts";
import { record } from "#core/sql/record.ts";
import type { Some } from "#core/write/collection.ts";
import { idReference } from "#shared/fields/ids.ts";
import { patchOf } from "#shared/fields/patch.ts";
import { areas } from "#tables/projects";
import { derivedPath, nodeName } from "../schema.ts";
import { nodePath, PARENT_REFUSALS, pathIn, requireParent, TREE_NOTES, TREE_PROBLEMS } from "../tree.ts";
import { projectVerbs, WITHIN_PROJECT } from "../within-project.ts";

const sent = z.object({
  name: nodeName,
  parent_id: idReference.nullable().describe("The parent, an area of the same project. Null: the top."),
});
const beside = { path: derivedPath };
const create = sent.partial({ parent_id: true }).extend(beside);

/** The parts of a product that work items are in, a tree. */
export const area = record(
  areas,
  {
    id: z.int(),
    parent_id: z.int().nullable(),
    name: z.string(),
    path: from(pathIn(areas), nodePath),
  },
  "Area",
);

const { get: _, ...verbs } = projectVerbs({
  record: area,
  guards: (projectId, { parent_id: parentId }, id) => requireParent(areas, projectId, parentId, id),
  columns: (body: Some<z.output<typeof create>>) => columnsOf(areas, body, ["path"]),
  refusals: PARENT_REFUSALS,
});

export const areaRoutes = new Router("Projects", "/projects").collection({
  ...WITHIN_PROJECT,
  path: "/:project_id/areas",
  ids: { one: "Area", list: "listAreas" },
  words: ["an area", "areas"],
  record: area,
  create,
  patch: patchOf(sent, beside),
  verbs,
  problems: TREE_PROBLEMS,
  notes: {
    ...TREE_NOTES,
    create: { summary: "Create an area" },
    update: { ...TREE_NOTES.update, summary: "Rename or move an area" },
  },
});
