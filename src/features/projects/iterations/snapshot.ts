import { type SQL, sql } from "drizzle-orm";
import { type JsonRow, jsonObject, once } from "#platform/sql/json.ts";
import { timestampToWire } from "#shared/time/dates.ts";
import { pathIn } from "../tree.ts";
import { iterations } from "./tables.ts";

const shape = {
  id: iterations.id,
  project_id: iterations.projectId,
  parent_id: iterations.parentId,
  name: iterations.name,
  type: iterations.type,
  start_date: iterations.startDate,
  end_date: iterations.endDate,
  path: pathIn(iterations),
  created_at: iterations.createdAt,
  updated_at: iterations.updatedAt,
};
export type IterationRow = JsonRow<typeof shape>;

const columns = once(() => jsonObject(shape));

/** The SELECT of iterations with their paths; `tail` goes on after WHERE. */
export function selectIterations(tail: SQL): SQL<IterationRow> {
  return sql`SELECT ${columns()} AS snapshot FROM ${iterations} WHERE ${tail}`;
}

export function renderIteration(row: IterationRow) {
  return {
    ...row,
    created_at: timestampToWire(row.created_at),
    updated_at: timestampToWire(row.updated_at),
  };
}
