import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { encryptedHmacKey, type KeyedHash, keyedHashOf, newKeyedHash } from "#core/secrets/company-hmac.ts";
import { type JsonCell, jsonQuery, parseRows } from "#core/sql/json.ts";
import { type Given, keptStatement } from "#core/sql/kept-statements.ts";
import { Problem } from "#shared/problem.ts";
import { retryLater } from "#shared/retry.ts";
import { externalIds, refusal } from "#tables/core";
import type { CallCtx, ReadCtx } from "../context.ts";
import type { ExternalId } from "./external-id.ts";

/** Thrown where the id is of a record that stands: the call answers with it, or changes it. */
export class MadeBefore extends Error {
  readonly recordId: string;
  readonly at: number;

  constructor({ record_id: recordId, created_at: at }: Holder) {
    super("made before");
    this.recordId = recordId;
    this.at = at;
  }
}

type Holder = { record_id: string; create_hash: string | null; created_at: number; is_retired: 0 | 1 };
type Found = { key: string | null; holder: Holder | null };

// A leading blank, which no caller's id has.
const ERASED = " ";

const selectFound = keptStatement(
  ({
    kind,
    id,
  }: Given<{ kind: string; id: string }>) => sql<Found>`SELECT json_object('key', ${encryptedHmacKey},
    'holder', (SELECT json_object('record_id', record_id, 'create_hash', create_hash, 'created_at', created_at,
      'is_retired', is_retired) FROM external_id_holders WHERE kind = ${kind} AND external_id = ${id})) AS snapshot`,
);

/** The query that looks up the own id of a call. */
export function lookUpExternal(ctx: ReadCtx, { kind, id }: ExternalId) {
  return jsonQuery(ctx, selectFound({ kind, id }));
}

/** Judges what the look-up found: throws where the id is taken. */
export async function settleExternal(
  ctx: CallCtx,
  own: ExternalId,
  cells: readonly JsonCell<Found>[],
): Promise<void> {
  const [{ key, holder } = { key: null, holder: null }] = parseRows(cells);
  const hash = key === null ? await firstHash(ctx, own) : await keyedHashOf(own.secrets, key);
  own.hashes = {
    erased: await erasedId(hash, own.kind, own.id),
    create: own.isDocument ? await hash("create", own.create) : null,
  };
  const taken = holder && judge(own, holder);
  if (taken) throw taken;
}

/** The company's keyed hash, whose key is made here. */
async function firstHash(ctx: CallCtx, { secrets }: ExternalId): Promise<KeyedHash> {
  const { hash, keep } = await newKeyedHash(secrets);
  if (ctx.call.isDryRun) return hash;
  const select = sql`SELECT ${encryptedHmacKey} AS key`;
  const [, kept] = await ctx.database.write([sql`${keep} ON CONFLICT DO NOTHING`, select]);
  return keyedHashOf(secrets, String(kept?.rows[0]?.key));
}

/** What stands in the place of the id of an erased record. */
export async function erasedId(hash: KeyedHash, kind: string, id: string): Promise<string> {
  return ERASED + (await hash("external_id", `${kind} ${id}`));
}

/** What is thrown for an id that is taken; what is never refused is made all the same, unless it is the same one again. */
function judge(own: ExternalId, holder: Holder): MadeBefore | Problem | undefined {
  const isSame = own.hashes?.create != null && own.hashes.create === holder.create_hash;
  if (holder.is_retired === 0 && (own.changes || isSame)) return new MadeBefore(holder);
  if (holder.is_retired === 1) return new Problem("external_id_retired");
  if (own.isNeverRefused) return undefined;
  const id = own.isNumber ? Number(holder.record_id) : holder.record_id;
  return new Problem("duplicate_external_id", own.mayRead ? { members: { id } } : {});
}

/** The statements that make a record: before them what refuses an id that is taken, after them what takes it. */
export function takingExternal(
  { call: { externalId: own, id: operation }, now }: CallCtx,
  statements: readonly SQLWrapper[],
): readonly SQLWrapper[] {
  if (own === undefined) return statements;
  const { table } = own;
  const which = own.isNeverRefused ? sql` AND (create_hash = ${own.hashes?.create} OR is_erased = 1)` : sql``;
  const taken = sql`SELECT 1 FROM ${externalIds} WHERE kind = ${own.kind}
    AND external_id IN (${own.id}, ${own.hashes?.erased})${which}`;
  const refuse = sql`INSERT INTO ${refusal} (code) SELECT 'external_id_taken' WHERE EXISTS (${taken})`;
  if (table === undefined) return [refuse, ...statements];
  const made = sql`SELECT ${table.id} FROM ${table} WHERE ${table.operation} = ${operation}`;
  return [refuse, ...statements, keepExternal(own, now, made)];
}

/** The statement that gives the id to the record that a SELECT finds. */
function keepExternal({ kind, id, hashes }: ExternalId, now: number, record: SQL): SQL {
  return sql`INSERT INTO ${externalIds} (kind, external_id, record_id, create_hash, created_at)
    SELECT ${kind}, ${id}, CAST((${record}) AS TEXT), ${hashes?.create ?? null}, ${now}`;
}

/** The same, where no other record has the id: a record without it is better than none. */
export function keepIfFree({ call: { externalId: own }, now }: CallCtx, record: SQL): SQL[] {
  if (own === undefined) return [];
  const erased = sql`SELECT 1 FROM ${externalIds} WHERE kind = ${own.kind} AND external_id = ${own.hashes?.erased}`;
  return [sql`${keepExternal(own, now, record)} WHERE NOT EXISTS (${erased}) ON CONFLICT DO NOTHING`];
}

/** What a batch was refused with whose id was taken meanwhile. */
export async function takenMeanwhile(ctx: CallCtx): Promise<Error> {
  const own = ctx.call.externalId;
  if (own === undefined) throw new Error("A call without an id of its own was refused for it");
  const [cells] = await ctx.database.read([lookUpExternal(ctx, own)]);
  const holder = parseRows(cells)[0]?.holder ?? null;
  if (holder === null) return new Problem("external_id_retired");
  return judge(own, holder) ?? retryLater("unavailable", 1_000);
}
