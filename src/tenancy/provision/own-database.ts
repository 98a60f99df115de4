import { sql } from "drizzle-orm";
import { Database, type DatabaseAddress } from "#core/database/database.ts";
import { logFault } from "#core/log.ts";
import { COMPANY_MIGRATIONS } from "#migrations";
import { Problem } from "#shared/problem.ts";
import { ulid } from "#shared/text/ulid.ts";
import { isDamage } from "#tenancy/generations/trouble.ts";
import type { Provisioner } from "./provider-api.ts";

/** A name that no other database has. It is stored before the database is made, so one that bears it is ours. */
export function newDatabaseName(now: number): string {
  return `co-${ulid(now).toLowerCase()}`;
}

/**
 * The database of this name, made now or by an earlier attempt of the same creation. Throws 409 for one that is not
 * ours, and leaves it as it is.
 */
export async function openOwnDatabase(provisioner: Provisioner, name: string): Promise<DatabaseAddress> {
  const made = await provisioner.create(name);
  const address = await provisioner.address(name);
  const database = new Database(address);
  if (!made && !(await isOwn(database, name)))
    throw new Problem("conflict", { message: `A database ${name} is there that is not the company's` });
  // One made as a copy of another would bear that one's name.
  await database.write([
    sql.raw(COMPANY_MIGRATIONS[0].sql),
    sql`INSERT INTO database_name (id, name) VALUES (1, ${name}) ON CONFLICT (id) DO UPDATE SET name = excluded.name`,
  ]);
  return address;
}

/** The only way to delete: removes a database that bears its own name or is empty. Any other stays, and is logged. */
export async function removeOwnDatabase(provisioner: Provisioner, name: string): Promise<void> {
  try {
    if (!(await provisioner.exists(name))) return;
    if (await isOwn(new Database(await provisioner.address(name)), name))
      return await provisioner.remove(name);
    logFault("database_kept", new Error("It does not bear its own name"), name);
  } catch (error) {
    // It cannot say its name, now or later: the operator looks at it, and removes it.
    if (!isDamage(error)) throw error;
    logFault("database_kept", error, name);
  }
}

async function isOwn(database: Database, name: string): Promise<boolean> {
  const [tables] = await database.read([
    database.build.all<{ name: string }>(
      sql`SELECT name FROM sqlite_schema WHERE name NOT GLOB 'sqlite_*' AND name NOT GLOB 'libsql_*'`,
    ),
  ]);
  if (tables.length === 0) return true;
  if (!tables.some((table) => table.name === "database_name")) return false;
  const [rows] = await database.read([
    database.build.all<{ name: string }>(sql`SELECT name FROM database_name`),
  ]);
  return rows[0]?.name === name;
}
