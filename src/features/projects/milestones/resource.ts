import { sql } from "drizzle-orm";
import { resource } from "#api/operations/resource.ts";
import { milestoneExample } from "./examples.ts";
import { Milestone } from "./schema.ts";
import { renderMilestone, selectMilestones } from "./snapshot.ts";
import { milestones } from "./tables.ts";

/** The data of milestone events. */
export const milestoneResource = resource({
  name: "milestone",
  scope: "projects.read",
  record: Milestone,
  example: milestoneExample,
  select: ({ today }, id) => selectMilestones(today, sql`${milestones.id} = ${id}`),
  render: renderMilestone,
});
