import { type SQL, sql } from "drizzle-orm";
import { type JsonRow, jsonObject, once } from "#platform/sql/json.ts";
import { timestampToWire } from "#shared/time/dates.ts";
import { projects } from "./tables.ts";

const shape = {
  id: projects.id,
  name: projects.name,
  code: projects.code,
  description: projects.description,
  status: projects.status,
  open_items: projects.openItems,
  created_at: projects.createdAt,
  updated_at: projects.updatedAt,
};
export type ProjectRow = JsonRow<typeof shape>;

const columns = once(() => jsonObject(shape));

/** The SELECT of projects; `tail` goes on after WHERE. */
export function selectProjects(tail: SQL): SQL<ProjectRow> {
  return sql`SELECT ${columns()} AS snapshot FROM ${projects} WHERE ${tail}`;
}

export function renderProject(row: ProjectRow) {
  return {
    ...row,
    created_at: timestampToWire(row.created_at),
    updated_at: timestampToWire(row.updated_at),
  };
}
