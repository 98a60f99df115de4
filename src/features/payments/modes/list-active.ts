import { sql } from "drizzle-orm";
import type { CallCtx } from "#platform/context.ts";
import { readAll } from "#platform/sql/read-records.ts";
import { type ModeRow, selectModes } from "./snapshot.ts";
import { paymentModes } from "./tables.ts";

/** The active payment modes, in the order they were made. */
export async function listActiveModes(ctx: CallCtx): Promise<ModeRow[]> {
  return readAll(ctx, selectModes(sql`${paymentModes.isActive} = 1 ORDER BY ${paymentModes.id}`));
}
