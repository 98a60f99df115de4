import { eq, type SQL } from "drizzle-orm";
import { readOne } from "#core/sql/read-records.ts";
import { Problem } from "#shared/problem.ts";
import type { CallCtx, WriteCtx } from "../context.ts";
import type { ExternalIds, ExternalKind } from "./external-id.ts";
import { MadeBefore } from "./external-ids.ts";
import { lookUpOwn } from "./replay.ts";

/**
 * Makes the record that has the caller's own id, or changes it where it is there, by `change`. Of two calls at once the
 * later one changes what the other made.
 */
export async function createOrChange<C extends WriteCtx, Row>(
  ctx: C,
  create: () => Promise<Row>,
  change: (ctx: C, id: number) => Promise<Row>,
): Promise<Row> {
  try {
    await lookUpOwn(ctx);
    return await create();
  } catch (error) {
    if (!(error instanceof MadeBefore)) throw error;
    // Later than its create: by that the answer is known for one of a change.
    const now = Math.max(ctx.now, error.at + 1);
    const call = { ...ctx.call, externalId: undefined };
    return change({ ...ctx, now, call }, Number(error.recordId)).catch(asRetired);
  }
}

/** The own ids of a document: the same create again answers with the record, as `select` finds it. */
export function documentIds<Row>(
  kind: ExternalKind,
  table: NonNullable<ExternalIds["table"]>,
  select: (ctx: CallCtx, which: SQL) => SQL<Row>,
) {
  const again = (ctx: CallCtx, id: string) => readOne(ctx, select(ctx, eq(table.id, Number(id))));
  return { kind, table, isDocument: true, again } as const;
}

/** Throws that the record of an own id is gone, where it was not found. */
export function asRetired(error: unknown): never {
  throw error instanceof Problem && error.code === "not_found" ? new Problem("external_id_retired") : error;
}

/** Whether the row that a call answers with was made by it. */
export function isNew(row: unknown): boolean {
  const { created_at: created, updated_at: updated }: Record<string, unknown> = Object(row);
  return created === updated;
}
