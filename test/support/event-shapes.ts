import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { SQLiteAsyncDialect } from "drizzle-orm/sqlite-core";
import type { Resource } from "#api/operations/resource.ts";

/** A shape of a kind of record: the names in its snapshot; the first one has a snapshot, from which later ones are made. */
export type EventShape = { names: string[]; snapshot?: object };

export const SHAPES_FILE = join(import.meta.dirname, "../vectors/event-shapes.json");
export const eventShapes: Record<string, EventShape[]> = JSON.parse(readFileSync(SHAPES_FILE, "utf8"));

const dialect = new SQLiteAsyncDialect();
const moment = { now: sql<number>`${0}`, today: sql<string>`${""}` };

/** The names that the SELECT of a resource's snapshot gives to what it puts in JSON. */
export function snapshotNames({ select }: Resource): string[] {
  const { sql: text } = dialect.sqlToQuery(select(moment, sql`events.record_id`));
  const found = text.matchAll(/(?:json_object\(|, )'(?:\$\.)?(\w+)', /g);
  return [...new Set([...found].map(([, name = ""]) => name))].sort();
}
