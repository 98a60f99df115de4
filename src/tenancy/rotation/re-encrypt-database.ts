import { eq, type SQL, sql } from "drizzle-orm";
import { Database } from "#core/database/database.ts";
import { logFault } from "#core/log.ts";
import { keyIdOf } from "#core/secrets/encryption.ts";
import { type Found, type Look, type Progress, reencryptSome } from "#core/secrets/re-encrypt.ts";
import type { SecretKind } from "#core/secrets/secret-kind.ts";
import { auditEach } from "#core/write/audit-log.ts";
import { Problem } from "#shared/problem.ts";
import { MINUTE_MS } from "#shared/time/durations.ts";
import { auditLog } from "#tables/core";
import { companies, keyRotations, resealings } from "#tables/tenancy";
import type { Directory } from "../directory.ts";

/** A database with encrypted values: that of a company, or with null for a slug the control database. */
export type EncryptedDatabase = {
  slug: string | null;
  kinds: readonly SecretKind[];
  database: () => Promise<Database>;
};

type Run = NonNullable<Awaited<ReturnType<typeof findRun>>>;

const AGAIN_MS = 10 * MINUTE_MS;
const BEGINNING: Progress = { column: 0, after: null, missed: 0 };

/**
 * Continues with one database where the last run stopped, and records how far it came. A failure is recorded too and
 * tried again in ten minutes; other databases are not affected.
 */
export async function reencryptDatabase(
  directory: Directory,
  place: EncryptedDatabase,
  now: number,
): Promise<void> {
  const control = new Database(directory.control);
  const run = await findRun(control, place.slug);
  const keyId = await keyIdOf(directory.masterKeys[0] ?? "");
  // An isolate that does not have the new key yet would encrypt with the old one.
  if (run === undefined || run.keyId !== keyId) return;
  const isBeginning = run.progress === null;
  const progress: Progress = run.progress === null ? BEGINNING : JSON.parse(run.progress);
  const found: Found = isBeginning ? {} : JSON.parse(run.found);
  try {
    const auditRow = auditRowOf(run, now);
    const sealed = {
      kinds: place.kinds,
      masterKeys: directory.masterKeys,
      company: place.slug ?? "",
      auditRow,
    };
    const look = await reencryptSome({ ...sealed, database: await place.database() }, progress, found);
    await keep(control, run, { ...standing(look, keyId, now), found: JSON.stringify(look.found) }, now);
  } catch (error) {
    logFault("resealing", error, place.slug ?? "control");
    const code = error instanceof Problem ? error.code : "internal_error";
    await keep(control, run, { status: "failed", error: code, dueAt: now + AGAIN_MS }, now);
  }
}

async function findRun(control: Database, slug: string | null) {
  const company =
    slug === null
      ? sql`0`
      : sql`(SELECT ${companies.id} FROM ${companies} WHERE ${companies.slug} = ${slug})`;
  const [[run]] = await control.read([
    control.build
      .select({
        companyId: resealings.companyId,
        rotationId: resealings.rotationId,
        progress: resealings.progress,
        found: resealings.found,
        keyId: keyRotations.keyId,
        startedBy: keyRotations.startedBy,
        requestId: keyRotations.requestId,
      })
      .from(resealings)
      .innerJoin(keyRotations, eq(keyRotations.id, resealings.rotationId))
      .where(sql`${resealings.companyId} = ${company} AND ${resealings.status} <> 'done'`),
  ]);
  return run;
}

/** What a run leaves: more to do, all encrypted with the current key, or values that no known key opens. */
function standing({ ended, progress, found }: Look, keyId: string, now: number) {
  const waiting = { status: "waiting", error: null, dueAt: now } as const;
  if (!ended) return { ...waiting, progress: JSON.stringify(progress) };
  if (progress.missed > 0) return { ...waiting, progress: null };
  const isEncrypted = Object.values(found).every((byKey) => Object.keys(byKey).every((key) => key === keyId));
  if (isEncrypted) return { ...waiting, status: "done", progress: null } as const;
  return { status: "failed", error: "no_key_opens", dueAt: now + AGAIN_MS, progress: null } as const;
}

type Kept = Partial<Pick<typeof resealings.$inferSelect, "progress" | "found">> &
  Pick<typeof resealings.$inferSelect, "status" | "error" | "dueAt">;

/** Two runs at once do no harm: only the one that began at the recorded place is recorded. */
async function keep(control: Database, run: Run, kept: Kept, now: number): Promise<void> {
  const { companyId, rotationId, progress, found } = run;
  await control.write([
    control.build
      .update(resealings)
      .set({ ...kept, lookedAt: now })
      .where(
        sql`${resealings.companyId} = ${companyId} AND ${resealings.rotationId} = ${rotationId}
          AND ${resealings.progress} IS ${progress} AND ${resealings.found} = ${found}`,
      ),
  ]);
}

/** Once for each database, in the name of the operator who started it. */
function auditRowOf({ keyId, startedBy, requestId }: Run, now: number): SQL {
  const isNoted = sql`EXISTS (SELECT 1 FROM ${auditLog}
    WHERE record = ${keyId} AND request_id = ${requestId} AND action = 'resealSecrets')`;
  const actor = { type: "platform" as const, id: startedBy, name: startedBy };
  return auditEach(
    { now, actor, requestId },
    "resealSecrets",
    sql`SELECT ${keyId} AS id WHERE NOT ${isNoted}`,
  );
}
