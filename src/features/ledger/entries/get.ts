import { sql } from "drizzle-orm";
import type { Ctx } from "#platform/context.ts";
import { readOne } from "#platform/read-records.ts";
import { type EntryRow, selectEntries } from "./entry-snapshot.ts";
import type { EntryParams } from "./schema.ts";
import { journalEntries } from "./tables.ts";

export async function getEntry(ctx: Ctx, { id }: EntryParams): Promise<EntryRow> {
  return readOne(ctx, selectEntries(sql`WHERE ${journalEntries.id} = ${id}`));
}
