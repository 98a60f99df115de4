import { sql } from "drizzle-orm";
import { resource } from "#api/operations/resource.ts";
import { sprintExample } from "./examples.ts";
import { Sprint } from "./schema.ts";
import { renderSprint, selectSprints } from "./snapshot.ts";
import { sprints } from "./tables.ts";

/** The data of sprint events. */
export const sprintResource = resource({
  name: "sprint",
  scope: "projects.read",
  record: Sprint,
  example: sprintExample,
  select: (_ctx, id) => selectSprints(sql`${sprints.id} = ${id}`),
  render: renderSprint,
});
