import { sql } from "drizzle-orm";
import type { CallCtx } from "#platform/context.ts";
import { readAll } from "#platform/sql/read-records.ts";
import { selectUnits, type UnitRecord } from "./snapshot.ts";
import { units } from "./tables.ts";

/** All units of measure, by code. */
export async function listUnits(ctx: CallCtx): Promise<UnitRecord[]> {
  return readAll(ctx, selectUnits(sql`true ORDER BY ${units.code}`));
}
