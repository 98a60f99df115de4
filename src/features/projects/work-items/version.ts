import { type SQL, sql } from "drizzle-orm";
import { refuseWhen } from "#platform/atomic.ts";
import { workItems } from "../tables.ts";

/** Aborts the batch when the item is not at the version that the change is meant for, where one is named. */
export function requireVersion(id: number, expected: number | undefined): SQL[] {
  if (expected === undefined) return [];
  const current = sql`SELECT ${workItems.version} FROM ${workItems} WHERE ${workItems.id} = ${id}`;
  return [refuseWhen(sql`(${current}) <> ${expected}`, "version_conflict")];
}
