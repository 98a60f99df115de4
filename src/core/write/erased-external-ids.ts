import { type SQL, sql } from "drizzle-orm";
import { type KeyedHash, keyedHashOf, selectHmacKey } from "#core/secrets/company-hmac.ts";
import { jsonQuery, parseRows } from "#core/sql/json.ts";
import { jsonRows } from "#core/sql/json-rows.ts";
import { externalIds } from "#tables/core";
import type { EncryptionCtx, ReadCtx } from "../context.ts";
import type { ExternalKind } from "./external-id.ts";
import { erasedId } from "./external-ids.ts";

/** An id that a caller gave to a record of a kind. */
export type Owned = { kind: ExternalKind; id: string };

const AT_ONCE = 500;
const owned = sql`json_object('kind', ${externalIds.kind}, 'id', ${externalIds.externalId}) AS snapshot FROM ${externalIds}`;

/** Marks the ids of records that are erased; their hashes follow. `records` is a SELECT of the records, as text. */
export function eraseExternal(kind: ExternalKind, records: SQL): SQL {
  return sql`UPDATE ${externalIds} SET is_erased = 1, create_hash = NULL
    WHERE kind = ${kind} AND record_id IN (${records}) AND is_erased = 0`;
}

/** Forgets by what body documents were made, of a person who is erased. `records` is a SELECT of them, as text. */
export function forgetCreates(kind: ExternalKind, records: SQL): SQL {
  return sql`UPDATE ${externalIds} SET create_hash = NULL
    WHERE kind = ${kind} AND record_id IN (${records}) AND create_hash IS NOT NULL`;
}

/** The SELECT of the ids of records; `records` is a SELECT of these, as text. */
export function selectOwned(kind: ExternalKind, records: SQL): SQL<Owned> {
  return sql`SELECT ${owned} WHERE kind = ${kind} AND record_id IN (${records}) AND external_id NOT GLOB ' *'`;
}

/** The statement that puts hashes in the place of those ids whose records are erased by now. */
export async function hashOwned(ids: readonly Owned[], hash: KeyedHash): Promise<SQL> {
  const hashed = await Promise.all(
    ids.map(async ({ kind, id }) => ({ kind, id, hashed: await erasedId(hash, kind, id) })),
  );
  return sql`UPDATE ${externalIds} SET external_id = by_hash.hashed
    FROM (${jsonRows(hashed, ["kind", "id", "hashed"])}) AS by_hash
    WHERE ${externalIds.kind} = by_hash.kind AND ${externalIds.externalId} = by_hash.id AND ${externalIds.isErased} = 1`;
}

/** Puts hashes in the place of ids whose records a job or a restore erased. */
export async function hashErasedIds(ctx: ReadCtx & EncryptionCtx): Promise<void> {
  for (let left = AT_ONCE; left === AT_ONCE; ) {
    const [cells, keys] = await ctx.database.read([
      jsonQuery(
        ctx,
        sql<Owned>`SELECT ${owned} WHERE is_erased = 1 AND external_id NOT GLOB ' *' LIMIT ${AT_ONCE}`,
      ),
      jsonQuery(ctx, selectHmacKey),
    ]);
    left = cells.length;
    const key = parseRows(keys)[0]?.key ?? null;
    if (left === 0 || key === null) return;
    await ctx.database.write([await hashOwned(parseRows(cells), await keyedHashOf(ctx, key))]);
  }
}
