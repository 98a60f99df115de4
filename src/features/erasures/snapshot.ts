import { eq, type SQL, sql } from "drizzle-orm";
import type { CallCtx } from "#core/context.ts";
import { type JsonRow, jsonObject, once } from "#core/sql/json.ts";
import { readList, readOne } from "#core/sql/read-records.ts";
import type { RecordParams } from "#shared/fields/ids.ts";
import { idBelow, type Listed, type Page } from "#shared/page.ts";
import { timestampToWire } from "#shared/time/dates.ts";
import type { ErasureCounts, ErasureQuery, Kept } from "./schema.ts";
import { personErasures } from "./tables.ts";

const shape = {
  id: personErasures.id,
  requested_at: personErasures.requestedAt,
  person_hash: personErasures.personHash,
  reason: personErasures.reason,
  erased: sql<ErasureCounts>`json(${personErasures.erased})`,
  kept: sql<Kept[]>`json(${personErasures.kept})`,
};
/** An erasure as the database holds it. */
export type ErasureRow = JsonRow<typeof shape>;
const columns = once(() => jsonObject(shape));

/** The SELECT of erasures; `tail` goes on after WHERE. */
export function selectErasures(tail: SQL): SQL<ErasureRow> {
  return sql`SELECT ${columns()} AS snapshot FROM ${personErasures} WHERE ${tail}`;
}

/** The erasures of persons, newest first. */
export function listErasures(
  ctx: CallCtx,
  _params: unknown,
  { person_hash: hash, page }: ErasureQuery & { page: Page },
): Promise<Listed<ErasureRow>> {
  const { id, personHash } = personErasures;
  const ofPerson = hash === undefined ? sql`` : sql`AND ${personHash} = ${hash}`;
  const tail = sql`${id} < ${idBelow(page)} ${ofPerson} ORDER BY ${id} DESC LIMIT ${page.take}`;
  return readList(ctx, page, selectErasures(tail));
}

export function getErasure(ctx: CallCtx, { id }: RecordParams): Promise<ErasureRow> {
  return readOne(ctx, selectErasures(eq(personErasures.id, id)));
}

export function renderErasure(row: ErasureRow) {
  return { ...row, id: String(row.id), requested_at: timestampToWire(row.requested_at) };
}
