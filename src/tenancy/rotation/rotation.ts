import { eq, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import { keyIdOf } from "#core/secrets/encryption.ts";
import { type JsonRow, jsonObject } from "#core/sql/json.ts";
import { readList, readOne } from "#core/sql/read-records.ts";
import { atomic } from "#core/write/atomic.ts";
import type { Listed, Page } from "#shared/page.ts";
import { timestampOrNull, timestampToWire } from "#shared/time/dates.ts";
import { companies, keyRotations, resealings } from "#tables/tenancy";
import type { ControlCtx } from "../context.ts";
import { ControlRouter } from "../control-router.ts";
import { KeyRotation, ReencryptedDatabase, ReencryptedDatabaseQuery } from "./schema.ts";

type Status = "waiting" | "done" | "failed";
type Rotation = {
  key_id: string;
  started_at: number;
  started_by: string;
  databases: Record<Status, number>;
  values: Record<string, number>;
};
type RotationRow = { id: string | null; rotation: Rotation | null };

// The row of a company that was deleted or closed may still be there; company 0 is the control database.
const isThere = sql`(${resealings.companyId} = 0
  OR EXISTS (SELECT 1 FROM ${companies} WHERE ${companies.id} = ${resealings.companyId} AND ${isNull(companies.closedAt)}))`;

/** Changing the master key: for the operator. */
export const rotationRoutes = new ControlRouter("Platform", "/key-rotation", {
  record: { schema: KeyRotation, render: renderRotation },
})
  .post({ startKeyRotation }, "/", {
    summary: "Encrypt everything with the current master key",
    description:
      "What `PREVIOUS_MASTER_KEY` encrypted is encrypted with `MASTER_KEY` anew, in the control database and in every company's, within minutes. May be sent again at any time: all is looked through again.",
    status: 202,
  })
  .get({ getKeyRotation }, "/", {
    summary: "Show how far the change of the master key is",
  })
  .list({ listResealedDatabases }, "/databases", {
    summary: "List the databases with what is encrypted in them",
    query: ReencryptedDatabaseQuery,
    record: { schema: ReencryptedDatabase, render: renderReencryptedDatabase },
  });

/** Begins to encrypt everything with the current master key; begun again, it looks through everything again. */
async function startKeyRotation(ctx: ControlCtx): Promise<RotationRow> {
  const keyId = await keyIdOf(ctx.plane.directory.masterKeys[0] ?? "");
  const rotation = sql`(SELECT max(${keyRotations.id}) FROM ${keyRotations})`;
  return atomic(
    ctx,
    [
      ctx.db
        .insert(keyRotations)
        .values({ keyId, startedBy: ctx.actor.id, requestId: ctx.requestId, startedAt: ctx.now }),
      ctx.db.delete(resealings),
      sql`INSERT INTO ${resealings} (company_id, rotation_id, status, found, due_at)
        SELECT 0, ${rotation}, 'waiting', '{}', ${ctx.now}
        UNION ALL SELECT ${companies.id}, ${rotation}, 'waiting', '{}', ${ctx.now} FROM ${companies}
          WHERE ${isNotNull(companies.databaseUrl)} AND ${isNull(companies.closedAt)}`,
    ],
    rotationSnapshot(),
  );
}

/** How far the change of the master key that was started last has come. */
function getKeyRotation(ctx: ControlCtx): Promise<RotationRow> {
  return readOne(ctx, sql<RotationRow>`SELECT (${rotationSnapshot()}) AS snapshot`);
}

/** With `id`, the key's, for the audit log. */
function rotationSnapshot(): SQL<RotationRow> {
  const { id, keyId, startedAt, startedBy } = keyRotations;
  const counted = (status: Status) =>
    sql`(SELECT count(*) FROM ${resealings} WHERE ${resealings.status} = ${status} AND ${isThere})`;
  const values = sql`(SELECT json_group_object(key, held) FROM (
    SELECT held.key AS key, sum(held.value) AS held
    FROM ${resealings}, json_each(${resealings.found}) columns, json_each(columns.value) held
    WHERE ${isThere} GROUP BY held.key))`;
  const last = sql`(SELECT json_object('key_id', ${keyId}, 'started_at', ${startedAt}, 'started_by', ${startedBy},
      'databases', json_object('waiting', ${counted("waiting")}, 'done', ${counted("done")}, 'failed', ${counted("failed")}),
      'values', json(${values}))
    FROM ${keyRotations} ORDER BY ${id} DESC LIMIT 1)`;
  return sql`SELECT json_object('id', (SELECT ${keyId} FROM ${keyRotations} ORDER BY ${id} DESC LIMIT 1),
    'rotation', json(${last}))`;
}

async function renderRotation({ rotation }: RotationRow, ctx: ControlCtx) {
  const [current = "", previous] = await Promise.all(ctx.plane.directory.masterKeys.map(keyIdOf));
  const keys = { current_key_id: current, previous_key_id: previous ?? null };
  if (rotation === null) return { ...keys, rotation };
  const { waiting, failed } = rotation.databases;
  const ended = failed > 0 ? ("failed" as const) : ("done" as const);
  const status = waiting > 0 ? ("waiting" as const) : ended;
  const values = Object.entries(rotation.values).map(([id, held]) => ({ key_id: nameOf(id), values: held }));
  return {
    ...keys,
    rotation: { ...rotation, started_at: timestampToWire(rotation.started_at), status, values },
  };
}

const shape = {
  id: resealings.companyId,
  database: sql<string>`CASE ${resealings.companyId} WHEN 0 THEN 'control'
    ELSE (SELECT ${companies.slug} FROM ${companies} WHERE ${companies.id} = ${resealings.companyId}) END`,
  status: resealings.status,
  found: sql<Record<string, Record<string, number>>>`json(${resealings.found})`,
  error: resealings.error,
  looked_at: resealings.lookedAt,
};
type DatabaseRow = JsonRow<typeof shape>;

/** Each database of the change of the master key that was started last, the control database first. */
async function listResealedDatabases(
  ctx: ControlCtx,
  _params: unknown,
  { page, status }: ReencryptedDatabaseQuery & { page: Page },
): Promise<Listed<DatabaseRow>> {
  const after = page.after?.at(-1) ?? -1;
  const isAsked = status === undefined ? sql`TRUE` : eq(resealings.status, status);
  const select = sql<DatabaseRow>`SELECT ${jsonObject(shape)} AS snapshot FROM ${resealings}
    WHERE ${resealings.companyId} > ${after} AND ${isThere} AND ${isAsked}
    ORDER BY ${resealings.companyId} LIMIT ${page.take}`;
  return readList(ctx, page, select);
}

function renderReencryptedDatabase({ database, status, found, error, looked_at }: DatabaseRow) {
  const values = Object.entries(found).flatMap(([column, byKey]) =>
    Object.entries(byKey).map(([id, held]) => ({ column, key_id: nameOf(id), values: held })),
  );
  return { database, status, values, error, looked_at: timestampOrNull(looked_at) };
}

function nameOf(keyId: string): string | null {
  return keyId === "" ? null : keyId;
}
