import { sql } from "drizzle-orm";
import { resource } from "#contract/resource.ts";
import { milestoneExample } from "./examples.ts";
import { Milestone } from "./schema.ts";
import { renderMilestone, selectMilestones } from "./snapshot.ts";
import { milestones } from "./tables.ts";

/** What events tell of milestones. */
export const milestoneResource = resource({
  name: "milestone",
  scope: "projects.read",
  record: Milestone,
  example: milestoneExample,
  select: (ctx, id) => selectMilestones(ctx, sql`${milestones.id} = ${id}`),
  render: renderMilestone,
});
