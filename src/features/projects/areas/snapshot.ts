import { type SQL, sql } from "drizzle-orm";
import { type JsonRow, jsonObject, once } from "#platform/sql/json.ts";
import { pathIn } from "../tree.ts";
import { areas } from "./tables.ts";

const shape = {
  id: areas.id,
  parent_id: areas.parentId,
  name: areas.name,
  path: pathIn(areas),
};
export type AreaRow = JsonRow<typeof shape>;

const columns = once(() => jsonObject(shape));

/** The SELECT of areas with their paths; `tail` goes on after WHERE. */
export function selectAreas(tail: SQL): SQL<AreaRow> {
  return sql`SELECT ${columns()} AS snapshot FROM ${areas} WHERE ${tail}`;
}
