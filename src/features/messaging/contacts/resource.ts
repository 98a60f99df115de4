import { sql } from "drizzle-orm";
import { resource } from "#api/operations/resource.ts";
import { contactOptouts } from "#tables/messaging";
import { optout } from "./optouts.ts";

/** The data of opt-out events. */
export const optoutResource = resource({
  name: "optout",
  scope: "settings:read",
  record: optout,
  select: (_ctx, id) => optout.select(sql`${contactOptouts.id} = ${id}`),
});
