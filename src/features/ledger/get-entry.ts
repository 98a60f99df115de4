import { sql } from "drizzle-orm";
import type { Ctx } from "#platform/context.ts";
import { jsonQuery, parseRows } from "#platform/json.ts";
import { read } from "#platform/operation-memory.ts";
import { Problem } from "#shared/problem.ts";
import { type EntryRow, selectEntries } from "./entry-snapshot.ts";
import type { EntryParams } from "./schema.ts";
import { journalEntries } from "./tables.ts";

export async function getEntry(ctx: Ctx, { id }: EntryParams): Promise<EntryRow> {
  const [rows] = await read(ctx, [jsonQuery(ctx, selectEntries(sql`WHERE ${journalEntries.id} = ${id}`))]);
  const [entry] = parseRows(rows);
  if (entry === undefined) throw new Problem("not_found");
  return entry;
}
