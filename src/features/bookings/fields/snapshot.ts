import { type SQL, sql } from "drizzle-orm";
import { type JsonRow, jsonObject, once } from "#platform/sql/json.ts";
import { timestampToWire } from "#shared/time/dates.ts";
import { instructorFields } from "./tables.ts";

const shape = {
  id: instructorFields.id,
  key: instructorFields.key,
  label: instructorFields.label,
  type: instructorFields.type,
  options: sql<string[] | null>`json(${instructorFields.options})`,
  created_at: instructorFields.createdAt,
  updated_at: instructorFields.updatedAt,
};
export type FieldRow = JsonRow<typeof shape>;

const columns = once(() => jsonObject(shape));

/** All fields as JSON. */
export const fieldsJson = once(
  () => sql<FieldRow[]>`json((SELECT json_group_array(${columns()}) FROM ${instructorFields}))`,
);

/** The SELECT of fields; `tail` goes on after WHERE. */
export function selectFields(tail: SQL): SQL<FieldRow> {
  return sql`SELECT ${columns()} AS snapshot FROM ${instructorFields} WHERE ${tail}`;
}

export function renderField(row: FieldRow) {
  return {
    ...row,
    created_at: timestampToWire(row.created_at),
    updated_at: timestampToWire(row.updated_at),
  };
}
