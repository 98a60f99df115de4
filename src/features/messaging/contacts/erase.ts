import { type SQLWrapper, sql } from "drizzle-orm";
import type { EncryptionCtx, SystemWriteCtx } from "#core/context.ts";
import { type KeyedHash, keyedHashOf, newKeyedHash, selectHmacKey } from "#core/secrets/company-hmac.ts";
import { jsonQuery, parseRows } from "#core/sql/json.ts";
import { jsonRows } from "#core/sql/json-rows.ts";
import { systemWrite } from "#core/write/atomic.ts";
import { type Erasure, integersOf } from "#core/write/erasures.ts";
import { forgetSnapshots } from "#core/write/events.ts";
import { among, lastNines, type Person, personEraser } from "#features/erasures";
import { contactOptouts as optouts, emailSuppressions as suppressions } from "#tables/messaging";
import type { Channel } from "../messages/channel.ts";
import { ERASED, keyedHashesBy } from "./keyed-hashes.ts";

const AT_ONCE = 500;

/** Hashes the opt-outs of an erased person again: the hourly job has the key, and removes their numbers. */
export const optoutErasure: Erasure = {
  action: "eraseOptout",
  left: (given) => sql`SELECT record FROM ${given} JOIN ${optouts}
    ON ${optouts.id} = CAST(record AS INTEGER) AND ${optouts.createdAt} <= at AND ${optouts.isErased} = 0`,
  forget: (left) => [forgetSnapshots("optout", sql`SELECT record FROM (${left})`)],
  erase: (left) => [sql`UPDATE ${optouts} SET is_erased = 1 WHERE ${optouts.id} IN (${integersOf(left)})`],
};

/** The same of suppressed e-mail addresses. */
export const suppressionErasure: Erasure = {
  action: "eraseSuppression",
  left: (given) => sql`SELECT record FROM ${given} JOIN ${suppressions}
    ON ${suppressions.id} = CAST(record AS INTEGER) AND ${suppressions.createdAt} <= at AND ${suppressions.isErased} = 0`,
  erase: (left) => [
    sql`UPDATE ${suppressions} SET is_erased = 1
      WHERE ${suppressions.id} IN (${integersOf(left)})`,
  ],
};

type Optout = { id: number; channel: Channel; address: string; e164: string; match: string };
type Suppression = { id: number; email: string };

const optoutShape = sql`json_object('id', ${optouts.id}, 'channel', ${optouts.channel}, 'address', ${optouts.address},
  'e164', ${optouts.e164}, 'match', ${optouts.match}) AS snapshot`;
const suppressionShape = sql`json_object('id', ${suppressions.id}, 'email', ${suppressions.email}) AS snapshot`;
const PROMISE =
  "As a keyed hash: to forget that nothing is to be sent would break a promise to the same person";

/** The opt-outs of a person's numbers, which stay as hashes. */
export const optoutEraser = personEraser<Optout>({
  erasure: optoutErasure,
  scope: "messages:write",
  counts: "optouts",
  find: (_ctx, person) => sql`SELECT ${optoutShape} FROM ${optouts}
    WHERE ${optouts.channel} IN ('sms', 'chatapp')
      AND ${optouts.match} IN ${among([...lastNines(person), ...person.users])} AND ${optouts.isErased} = 0`,
  theirs: (rows, person) => ({ ids: rows.filter((row) => isTheirs(row, person)).map(({ id }) => id) }),
  erase: async (rows, _person, left, hash) => [await hashOptouts(rows, sql`IN (${integersOf(left)})`, hash)],
  kept: (rows, person) =>
    rows
      .filter((row) => isTheirs(row, person))
      .slice(0, 1)
      .map(() => ({ what: "optouts" as const, why: PROMISE, until: null })),
});

function isTheirs({ e164, match }: Optout, { phones, users }: Person): boolean {
  return phones.includes(e164) || users.includes(match);
}

/** The suppressions of a person's e-mail addresses, which stay as hashes. */
export const suppressionEraser = personEraser<Suppression>({
  erasure: suppressionErasure,
  scope: "messages:write",
  counts: "suppressions",
  find: (_ctx, { emails }) => sql`SELECT ${suppressionShape} FROM ${suppressions}
    WHERE ${suppressions.email} IN ${among(emails)} AND ${suppressions.isErased} = 0`,
  theirs: (rows) => ({ ids: rows.map(({ id }) => id) }),
  erase: async (rows, _person, left, hash) => [
    await hashSuppressions(rows, sql`IN (${integersOf(left)})`, hash),
  ],
  kept: (rows) => rows.slice(0, 1).map(() => ({ what: "suppressions" as const, why: PROMISE, until: null })),
});

/** Puts hashes in the place of addresses whose person was erased before a backup was restored. */
export async function hashErasedContacts(ctx: SystemWriteCtx & EncryptionCtx): Promise<void> {
  for (let left = AT_ONCE; left === AT_ONCE; ) {
    const [numbers, emails, key] = await ctx.database.read([
      jsonQuery(
        ctx,
        sql<Optout>`SELECT ${optoutShape} FROM ${optouts} WHERE ${optouts.isErased} = 1 AND ${optouts.address} <> 'erased' LIMIT ${AT_ONCE}`,
      ),
      jsonQuery(
        ctx,
        sql<Suppression>`SELECT ${suppressionShape} FROM ${suppressions}
          WHERE ${suppressions.isErased} = 1 AND ${suppressions.email} NOT GLOB 'erased:*' LIMIT ${AT_ONCE}`,
      ),
      jsonQuery(ctx, selectHmacKey),
    ]);
    left = Math.max(numbers.length, emails.length);
    if (left === 0) return;
    const encrypted = parseRows(key)[0]?.key ?? null;
    const { hash, keep } =
      encrypted === null
        ? await newKeyedHash(ctx)
        : { hash: await keyedHashOf(ctx, encrypted), keep: undefined };
    const [ofNumbers, ofEmails] = [parseRows(numbers), parseRows(emails)];
    await systemWrite(ctx, [
      ...(keep === undefined ? [] : [keep]),
      await hashOptouts(ofNumbers, sql`IS NOT NULL`, hash),
      await hashSuppressions(ofEmails, sql`IS NOT NULL`, hash),
    ]);
  }
}

// Of two entries of one number the older would refuse the hash of the other: one promise is enough.
async function hashOptouts(rows: readonly Optout[], still: SQLWrapper, hash: KeyedHash): Promise<SQLWrapper> {
  const hashed = await Promise.all(
    rows.map(async (row) => ({ id: row.id, ...(await keyedHashesBy(hash, row.channel, row)) })),
  );
  return sql`UPDATE OR REPLACE ${optouts} SET address = ${ERASED}, is_erased = 1, e164 = hashed.e164, match = hashed.match
    FROM (${jsonRows(hashed, ["id", "e164", "match"])}) AS hashed
    WHERE ${optouts.id} = hashed.id AND ${optouts.id} ${still}`;
}

async function hashSuppressions(
  rows: readonly Suppression[],
  still: SQLWrapper,
  hash: KeyedHash,
): Promise<SQLWrapper> {
  const hashed = await Promise.all(
    rows.map(async ({ id, email }) => ({
      id,
      ...(await keyedHashesBy(hash, "email", { e164: null, match: email })),
    })),
  );
  return sql`UPDATE OR REPLACE ${suppressions} SET email = hashed.match, is_erased = 1
    FROM (${jsonRows(hashed, ["id", "match"])}) AS hashed
    WHERE ${suppressions.id} = hashed.id AND ${suppressions.id} ${still}`;
}
