import { sql } from "drizzle-orm";
import { resource } from "#contract/resource.ts";
import { erasureExample } from "./examples.ts";
import { ErasureResult } from "./schema.ts";
import { renderErasure, selectErasures } from "./snapshot.ts";
import { personErasures } from "./tables.ts";

/** What events tell of erasures: never of whom. */
export const erasureResource = resource({
  name: "erasure",
  scope: "settings:read",
  record: ErasureResult,
  example: erasureExample,
  select: (_ctx, id) => selectErasures(sql`${personErasures.id} = ${id}`),
  render: renderErasure,
});
