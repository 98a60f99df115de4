import type { SQL } from "drizzle-orm";
import { Problem } from "#shared/problem.ts";
import type { Ctx } from "./context.ts";
import { jsonQuery, parseRows } from "./json.ts";
import { read } from "./operation-memory.ts";

/** The one record that `select` finds; 404 when there is none. */
export async function readOne<Row>(ctx: Ctx, select: SQL<Row>): Promise<Row> {
  const [rows] = await read(ctx, [jsonQuery(ctx, select)]);
  const [record] = parseRows(rows);
  if (record === undefined) throw new Problem("not_found");
  return record;
}
