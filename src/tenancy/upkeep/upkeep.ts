import { sql } from "drizzle-orm";
import { fieldProblem, Problem } from "#shared/problem.ts";
import { timestampToWire } from "#shared/time/dates.ts";
import { MINUTE_MS } from "#shared/time/durations.ts";
import { companies, companyUpkeep } from "#tables/tenancy";
import { finished } from "#tenancy/companies/companies.ts";
import type { CompanyParams } from "#tenancy/companies/schema.ts";
import type { ControlCtx } from "../context.ts";
import type { BackupRecord } from "./schema.ts";

export type BackupRow = { slug: string; backedUpAt: number; bytes: number };

// Clocks differ a little.
const MOST_AHEAD_MS = 5 * MINUTE_MS;

/** Records that a company was backed up; an earlier backup than the recorded one changes nothing. */
export async function recordBackup(
  ctx: ControlCtx,
  { slug }: CompanyParams,
  { taken_at: takenAt, bytes }: BackupRecord,
): Promise<BackupRow> {
  const at = Date.parse(takenAt);
  if (at > ctx.now + MOST_AHEAD_MS) throw fieldProblem("taken_at", "invalid", "must not lie in the future");
  await record(
    ctx,
    slug,
    sql`(company_id, backed_up_at, backup_bytes) SELECT ${companies.id}, ${at}, ${bytes}`,
    sql`backed_up_at = excluded.backed_up_at, backup_bytes = excluded.backup_bytes
      WHERE backed_up_at IS NULL OR backed_up_at <= excluded.backed_up_at`,
  );
  return { slug, backedUpAt: at, bytes };
}

/** Records what a check of a company found. */
export function recordCheck(ctx: ControlCtx, slug: string, brokenRules: number): Promise<void> {
  return record(
    ctx,
    slug,
    sql`(company_id, checked_at, broken_rules) SELECT ${companies.id}, ${ctx.now}, ${brokenRules}`,
    sql`checked_at = excluded.checked_at, broken_rules = excluded.broken_rules
      WHERE checked_at IS NULL OR checked_at <= excluded.checked_at`,
  );
}

export function renderBackup({ slug, backedUpAt, bytes }: BackupRow) {
  return { slug, taken_at: timestampToWire(backedUpAt), bytes };
}

/** Adds or changes the row of a company. Throws 404 where there is none. */
async function record(
  ctx: ControlCtx,
  slug: string,
  row: ReturnType<typeof sql>,
  change: ReturnType<typeof sql>,
): Promise<void> {
  const isHere = finished(slug);
  const [, found] = await ctx.database.write([
    sql`INSERT INTO ${companyUpkeep} ${row} FROM ${companies} WHERE ${isHere}
      ON CONFLICT (company_id) DO UPDATE SET ${change}`,
    sql`SELECT 1 FROM ${companies} WHERE ${isHere}`,
  ]);
  if (found?.rows.length === 0) throw new Problem("company_not_found");
}
