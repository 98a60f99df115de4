import { isNull, type SQL, sql } from "drizzle-orm";
import { readOne } from "#core/sql/read-records.ts";
import { atomic } from "#core/write/atomic.ts";
import { timestampOrNull } from "#shared/time/dates.ts";
import { controlRestores } from "#tables/tenancy";
import type { ControlCtx } from "../context.ts";
import { companiesByDatabase } from "./rebuild-from-database.ts";

export type RegistryRebuildRow = {
  id: string;
  restored_at: number | null;
  taken_at: number | null;
  adopted_at: number | null;
  databases: { name: string; company: string | null }[] | null;
};

/** Whether the control database was put back and lacks what came since; asks no company's database. */
export async function getAdoption(ctx: ControlCtx): Promise<RegistryRebuildRow> {
  const last = await readOne(ctx, sql<RegistryRebuildRow>`SELECT (${lastRestore()}) AS snapshot`);
  const names = await (await ctx.plane.provisioner()).names();
  const known = names === null ? new Map<string, string>() : await companiesByDatabase(ctx, names);
  const databases = names?.map((name) => ({ name, company: known.get(name) ?? null })) ?? null;
  return { ...last, databases };
}

/** Notes that the copies of all companies were taken in since the last restore. */
export function endAdoption(ctx: ControlCtx): Promise<RegistryRebuildRow> {
  return atomic(
    ctx,
    [ctx.db.update(controlRestores).set({ adoptedAt: ctx.now }).where(isNull(controlRestores.adoptedAt))],
    lastRestore(),
  );
}

export function renderRegistryRebuild({ restored_at, taken_at, adopted_at, databases }: RegistryRebuildRow) {
  return {
    restored_at: timestampOrNull(restored_at),
    taken_at: timestampOrNull(taken_at),
    adopted_at: timestampOrNull(adopted_at),
    waiting: restored_at !== null && adopted_at === null,
    databases,
  };
}

function lastRestore(): SQL<RegistryRebuildRow> {
  const { id, takenAt, restoredAt, adoptedAt } = controlRestores;
  const last = (column: SQL) => sql`(SELECT ${column} FROM ${controlRestores} ORDER BY ${id} DESC LIMIT 1)`;
  return sql<RegistryRebuildRow>`SELECT json_object('id', 'control', 'restored_at', ${last(sql`${restoredAt}`)},
    'taken_at', ${last(sql`${takenAt}`)}, 'adopted_at', ${last(sql`${adoptedAt}`)}, 'databases', NULL)`;
}
