import { sql } from "drizzle-orm";
import { Database } from "#core/database/database.ts";
import { databaseGeneration } from "#tables/tenancy/own-database";
import type { ControlCtx } from "../context.ts";
import { troubleOf } from "./trouble.ts";

/** What a database says of its own place: its generation, and which other one has replaced it, with which generation. */
export type Standing = { generation: number; mark: Mark | null };
/** A database and its name. */
export type Named = { name: string; database: Database };
type Mark = { by: string; generation: number };
/** A database that says its place; or why it cannot, in words that follow its name. */
type Look = { database: Database; standing: Standing } | { trouble: string };
/** Whether a database has taken a place, or why it cannot say so. */
type Taken = "yes" | "no" | { trouble: string };

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
async function databaseNamed({ plane }: ControlCtx, name: string): Promise<Database | undefined> {
  const provisioner = await plane.provisioner();
  return (await provisioner.exists(name)) ? new Database(await provisioner.address(name)) : undefined;
}

/** Looks whether the database of this name is there, and sound enough to say its place. */
export async function lookAt(ctx: ControlCtx, name: string): Promise<Look> {
  try {
    const database = await databaseNamed(ctx, name);
    if (database === undefined) return { trouble: "is not there" };
    const standing = await readStanding(database);
    return standing === null ? { trouble: "is empty" } : { database, standing };
  } catch (error) {
    return { trouble: troubleOf(error) };
  }
}

/** Whether the database that a mark names has taken its place: `no` where that was begun and is not completed. */
export async function takenPlace(ctx: ControlCtx, mark: Mark): Promise<Taken> {
  const other = await lookAt(ctx, mark.by);
  if ("trouble" in other) return other;
  return other.standing.generation >= mark.generation ? "yes" : "no";
}

/** Whether the marks lead from one database to the other, each later than the one before: whose place that has taken. */
export async function leadsTo(ctx: ControlCtx, from: string, to: string): Promise<boolean> {
  let [name, after] = [from, 0];
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const found = await lookAt(ctx, name);
    const mark = "trouble" in found ? null : found.standing.mark;
    if (mark === null || mark.generation <= after) return false;
    if (mark.by === to) return (await takenPlace(ctx, mark)) === "yes";
    [name, after] = [mark.by, mark.generation];
  }
  return false;
}
