import { sql } from "drizzle-orm";
import type { CallCtx } from "#core/context.ts";
import { readOne } from "#core/sql/read-records.ts";
import type { RecordParams } from "#shared/fields/ids.ts";

import { type EntryRow, selectEntries } from "./snapshot.ts";
import { journalEntries } from "./tables.ts";

export async function getEntry(ctx: CallCtx, { id }: RecordParams): Promise<EntryRow> {
  return readOne(ctx, selectEntries(sql`WHERE ${journalEntries.id} = ${id}`));
}
