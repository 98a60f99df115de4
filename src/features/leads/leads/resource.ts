import { sql } from "drizzle-orm";
import { resource } from "#api/operations/resource.ts";
import { leadExample } from "./examples.ts";
import { Lead } from "./schema.ts";
import { renderLead, selectLeads } from "./snapshot.ts";
import { leads } from "./tables.ts";

/** The data of lead events: as in lists, without what was sent. */
export const leadResource = resource({
  name: "lead",
  scope: "settings:read",
  record: Lead,
  example: leadExample,
  select: (_ctx, id) => selectLeads(sql`${leads.id} = ${id}`),
  render: renderLead,
});
