import { type SQL, sql } from "drizzle-orm";
import { type JsonRow, jsonObject, once } from "#platform/sql/json.ts";
import { timestampToWire } from "#shared/time/dates.ts";
import { workItemStatuses } from "./tables.ts";

const shape = {
  id: workItemStatuses.id,
  slug: workItemStatuses.slug,
  name: workItemStatuses.name,
  category: workItemStatuses.category,
  position: workItemStatuses.position,
  is_default: workItemStatuses.isDefault,
  created_at: workItemStatuses.createdAt,
  updated_at: workItemStatuses.updatedAt,
};
export type StatusRow = JsonRow<typeof shape>;

const columns = once(() => jsonObject(shape));

/** The SELECT of work-item statuses; `tail` goes on after WHERE. */
export function selectStatuses(tail: SQL): SQL<StatusRow> {
  return sql`SELECT ${columns()} AS snapshot FROM ${workItemStatuses} WHERE ${tail}`;
}

export function renderStatus(row: StatusRow) {
  return {
    ...row,
    is_default: row.is_default === 1,
    created_at: timestampToWire(row.created_at),
    updated_at: timestampToWire(row.updated_at),
  };
}
