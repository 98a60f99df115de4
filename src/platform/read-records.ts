import type { SQL } from "drizzle-orm";
import { Problem } from "#shared/problem.ts";
import type { Ctx } from "./context.ts";
import { jsonQuery, parseRows } from "./json.ts";
import { read } from "./operation-memory.ts";

/** All records that `select` finds. */
export async function readAll<Row>(ctx: Ctx, select: SQL<Row>): Promise<Row[]> {
  const [rows] = await read(ctx, [jsonQuery(ctx, select)]);
  return parseRows(rows);
}

/** The one record that `select` finds; 404 when there is none. */
export async function readOne<Row>(ctx: Ctx, select: SQL<Row>): Promise<Row> {
  const [record] = await readAll(ctx, select);
  if (record === undefined) throw new Problem("not_found");
  return record;
}
