import { sql } from "drizzle-orm";
import { resource } from "#api/operations/resource.ts";
import { erasureExample } from "./examples.ts";
import { ErasureResult } from "./schema.ts";
import { renderErasure, selectErasures } from "./snapshot.ts";
import { personErasures } from "./tables.ts";

/** The data of erasure events, which never name the person. */
export const erasureResource = resource({
  name: "erasure",
  scope: "settings:read",
  record: ErasureResult,
  example: erasureExample,
  select: (_ctx, id) => selectErasures(sql`${personErasures.id} = ${id}`),
  render: renderErasure,
});
