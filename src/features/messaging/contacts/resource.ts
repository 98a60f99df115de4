import { sql } from "drizzle-orm";
import { resource } from "#contract/resource.ts";
import { optoutExample } from "./examples.ts";
import { renderOptout, selectOptouts } from "./optouts.ts";
import { Optout } from "./schema.ts";
import { contactOptouts } from "./tables.ts";

/** What events tell of who does not want to be written to. */
export const optoutResource = resource({
  name: "optout",
  scope: "settings:read",
  record: Optout,
  example: optoutExample,
  select: (_ctx, id) => selectOptouts(sql`${contactOptouts.id} = ${id}`),
  render: renderOptout,
});
