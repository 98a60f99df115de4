import { sql } from "drizzle-orm";
import { Database } from "#core/database/database.ts";
import type { ControlCtx } from "../context.ts";
import { databaseGeneration } from "./tables.ts";

/** What a database says of its own place: its generation, and which other one has replaced it, with which generation. */
export type Standing = { generation: number; mark: Mark | null };
type Mark = { by: string; generation: number };

/** More than the times that a company's database was replaced since any backup. */
const MOST_STEPS = 20;

/** What a database says of its own place; null where nothing was put into it, or by a release before there were generations. */
export async function readStanding(database: Database): Promise<Standing | null> {
  const [tables] = await database.read([
    database.build.all(sql`SELECT 1 FROM sqlite_schema WHERE name = 'database_generation'`),
  ]);
  if (tables.length === 0) return null;
  const [[row]] = await database.read([database.build.select().from(databaseGeneration)]);
  if (row === undefined) return null;
  const { generation, replacedBy: by, replacedGeneration } = row;
  return { generation, mark: by === null ? null : { by, generation: replacedGeneration ?? 0 } };
}

/** The database of this name; undefined where there is none. */
export async function databaseNamed({ plane }: ControlCtx, name: string): Promise<Database | undefined> {
  const provisioner = await plane.provisioner();
  return (await provisioner.exists(name)) ? new Database(await provisioner.address(name)) : undefined;
}

/**
 * Whether the database that a mark names has taken its place: `no` where that was begun and is not completed, `gone`
 * where that database is not there, so that nothing says so.
 */
export async function takenPlace(ctx: ControlCtx, mark: Mark): Promise<"yes" | "no" | "gone"> {
  const other = await databaseNamed(ctx, mark.by);
  if (other === undefined) return "gone";
  const standing = await readStanding(other);
  return (standing?.generation ?? 0) >= mark.generation ? "yes" : "no";
}

/** Whether the marks lead from one database to the other, each later than the one before: whose place that has taken. */
export async function leadsTo(ctx: ControlCtx, from: string, to: string): Promise<boolean> {
  let [name, after] = [from, 0];
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const database = await databaseNamed(ctx, name);
    const mark = database === undefined ? null : (await readStanding(database))?.mark;
    if (mark == null || mark.generation <= after) return false;
    if (mark.by === to) return (await takenPlace(ctx, mark)) === "yes";
    [name, after] = [mark.by, mark.generation];
  }
  return false;
}
