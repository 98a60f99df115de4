import { and, eq, lt, sql } from "drizzle-orm";
import type { Database } from "#core/database/database.ts";
import { logFault } from "#core/log.ts";
import { abandonedDatabases, companies } from "#tables/tenancy";
import type { Provisioner } from "#tenancy/provision/index.ts";
import { removeOwnDatabase } from "#tenancy/provision/own-database.ts";

/** A creation that takes longer than this, in milliseconds, was cut off. */
export const RESERVATION_MS = 120_000;
const AT_ONCE = 5;

type Reservation = { slug: string; reservation: string };
/** What undoing a creation needs; the provisioner is made only when there is something to undo. */
export type Undoing = { control: Database; provisioner: () => Promise<Provisioner>; now: number };

/**
 * Undoes a creation, unless its company is active already. The slug is free at once. The database is recorded as
 * abandoned in the same batch, and removed now or by the hourly jobs.
 */
export async function giveUp(undoing: Undoing, { slug, reservation }: Reservation): Promise<void> {
  const { control, now } = undoing;
  const here = and(
    eq(companies.slug, slug),
    eq(companies.status, "provisioning"),
    eq(companies.reservation, reservation),
  );
  const [abandoned] = await control.write([
    sql`INSERT OR IGNORE INTO ${abandonedDatabases} (name, tried_at)
      SELECT ${companies.databaseName}, ${now} FROM ${companies}
      WHERE ${here} RETURNING name`,
    control.build.delete(companies).where(here),
  ]);
  for (const { name } of abandoned?.rows ?? []) await removeAbandoned(undoing, String(name));
}

/** Undoes the creations that were cut off, and removes the databases that could not be removed before. */
export async function sweepReservations(undoing: Undoing): Promise<void> {
  const { control, now } = undoing;
  const [dead, abandoned] = await control.read([
    control.build
      .select({ slug: companies.slug, reservation: companies.reservation })
      .from(companies)
      .where(and(eq(companies.status, "provisioning"), lt(companies.reservedAt, now - RESERVATION_MS)))
      .limit(AT_ONCE),
    control.build
      .select({ name: abandonedDatabases.name })
      .from(abandonedDatabases)
      .orderBy(abandonedDatabases.triedAt)
      .limit(AT_ONCE),
  ]);
  await Promise.all([
    ...dead.map((reservation) => giveUp(undoing, reservation)),
    ...abandoned.map(({ name }) => removeAbandoned(undoing, name)),
  ]);
}

/** Removes a database that was recorded as abandoned; the hourly jobs remove one that cannot be removed now. */
export async function removeAbandoned({ control, provisioner, now }: Undoing, name: string): Promise<void> {
  const here = eq(abandonedDatabases.name, name);
  try {
    await removeOwnDatabase(await provisioner(), name);
    await control.write([control.build.delete(abandonedDatabases).where(here)]);
  } catch (error) {
    logFault("database_removal", error, name);
    await control.write([control.build.update(abandonedDatabases).set({ triedAt: now }).where(here)]);
  }
}
