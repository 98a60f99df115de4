import { eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Scope } from "#api/operations/scopes.ts";
import { companyDate } from "#core/calendar.ts";
import type { EncryptionCtx, FileCtx, OutsideCtx, WriteCtx } from "#core/context.ts";
import { requireScope } from "#core/required-scope.ts";
import { type KeyedHash, keyedHashOf, newKeyedHash } from "#core/secrets/company-hmac.ts";
import { atomic, systemWrite, takeTurn } from "#core/write/atomic.ts";
import { auditEach } from "#core/write/audit-log.ts";
import { AUDIT_KEPT_MS } from "#core/write/audit-retention.ts";
import { hashOwned } from "#core/write/erased-external-ids.ts";
import { forgetAnswers } from "#core/write/forgotten-answers.ts";
import { spellingsOf } from "#shared/contact/phone.ts";
import { retryLater } from "#shared/retry.ts";
import { personErasures } from "#tables/erasures";
import { type Found, findAll, type Mounted, type Share } from "./find.ts";
import { longest } from "./kept.ts";
import { type Known, MOST_AT_ONCE } from "./person.ts";
import { identifierOf, personOf } from "./person-of.ts";
import { type ErasureRow, erasure as erasureRecord } from "./record.ts";
import type { ErasureCounts, ErasureCreate, Kept } from "./schema.ts";

type Ctx = WriteCtx & EncryptionCtx & FileCtx;
type Counted = { statement: SQLWrapper; counts?: keyof ErasureCounts };

const NOTHING: ErasureCounts = {
  ...{ customers: 0, orders: 0, leads: 0, applications: 0, messages: 0, inbound: 0 },
  ...{ bookings: 0, optouts: 0, suppressions: 0, events: 0, files: 0 },
};

/**
 * Erases a person: the files first, then in one batch all that was found and the row that says so. What is too much for one
 * batch goes in batches before it. A run that was cut off is completed by the next.
 */
export async function createErasure(
  given: Ctx & OutsideCtx,
  body: ErasureCreate,
  mounted: Mounted,
): Promise<ErasureRow> {
  const ctx = { ...given, database: given.database.alone };
  for (const scope of erasingScopes(mounted)) requireScope(ctx, scope);
  const person = await personOf(ctx, body, mounted.erasers);
  let found = await findAll(ctx, mounted, person);
  // Before anything is erased. atomic() waits for the same turn, which has come by then.
  await takeTurn(ctx);
  const { hash, keep } = await keyedHashFor(ctx, found);
  const gone = { ...NOTHING };
  for (let full = fullOf(found); full.length > 0; full = fullOf(found)) {
    const before = gone.messages + gone.inbound + gone.events;
    await eraseSome(ctx, found, full, hash, gone);
    if (gone.messages + gone.inbound + gone.events === before) break;
    found = await findAll(ctx, mounted, person);
  }
  gone.files = await deleteFiles(ctx, found);
  const row = {
    operation: ctx.call.id,
    requestedAt: ctx.now,
    personHash: await hash("person", identifierOf(body, person)),
    reason: body.reason ?? null,
    erased: JSON.stringify(gone),
    kept: JSON.stringify(keptOf(ctx, found)),
  };
  const counted = (
    await Promise.all(found.shares.map((share) => eraseShare(ctx, found.person, share, hash)))
  ).flat();
  const idsOf = (action: string) =>
    found.shares.find(({ eraser }) => eraser.erasure.action === action)?.ids ?? [];
  const also = mounted.erasers.flatMap(
    (eraser) => eraser.also?.(ctx, eraser.isReached === true ? found.reach : found.person, idsOf) ?? [],
  );
  return atomic(
    ctx,
    [
      ...keep,
      ctx.db.insert(personErasures).values(row),
      ...counted.flatMap(({ statement, counts }) =>
        counts === undefined ? [statement] : [statement, tally(ctx, counts)],
      ),
      ...also,
      await hashOwned(found.owned, hash),
      forgetAnswers(answersOf(found)),
    ],
    erasureRecord.select(eq(personErasures.operation, ctx.call.id)),
    { "mark_key.id": () => retryLater("unavailable", 1_000) },
  );
}

/** What a key must hold to erase a person: all that writes the records concerned, found or not. */
export function erasingScopes({ erasers }: Pick<Mounted, "erasers">): Scope[] {
  return [...new Set(erasers.map(({ scope }) => scope))].toSorted();
}

/** The company's keyed hash; its key is made with the first erasure. */
async function keyedHashFor(
  ctx: EncryptionCtx,
  { encryptedKey }: Found,
): Promise<{ hash: KeyedHash; keep: SQL[] }> {
  if (encryptedKey !== null) return { hash: await keyedHashOf(ctx, encryptedKey), keep: [] };
  const { hash, keep } = await newKeyedHash(ctx);
  return { hash, keep: [keep] };
}

function fullOf({ shares }: Found): Share[] {
  return shares.filter(({ ids, eraser }) => eraser.isBounded === true && ids.length >= MOST_AT_ONCE);
}

/** Erases a part of what is too much for one batch, and counts it. */
async function eraseSome(
  ctx: Ctx,
  { person }: Found,
  shares: readonly Share[],
  hash: KeyedHash,
  gone: ErasureCounts,
): Promise<void> {
  const counted = (await Promise.all(shares.map((share) => eraseShare(ctx, person, share, hash)))).flat();
  const results = await systemWrite(
    ctx,
    counted.map(({ statement }) => statement),
  );
  for (const [place, { counts }] of counted.entries())
    if (counts !== undefined) gone[counts] += results[place]?.rowsAffected ?? 0;
}

/** The statements that erase what one eraser found; the audit log names each record, so that a restore erases it again. */
async function eraseShare(
  ctx: Ctx,
  person: Known,
  { eraser, ids, rows }: Share,
  hash: KeyedHash,
): Promise<Counted[]> {
  if (ids.length === 0) return [];
  const { erasure, counts } = eraser;
  const records = JSON.stringify(ids.map(String));
  const given = sql`(SELECT value AS record, ${ctx.now} AS at FROM json_each(${records}))`;
  const left = (eraser.left ?? erasure.left)(given);
  const erase = (await eraser.erase?.(rows, person, left, hash)) ?? erasure.erase(left);
  return [
    {
      statement: auditEach(ctx, erasure.action, sql`SELECT record AS id FROM (${left})`),
      ...(counts === undefined ? {} : { counts }),
    },
    ...(erasure.forget?.(left) ?? []).map((statement) => ({ statement, counts: "events" as const })),
    ...erase.map((statement) => ({ statement })),
  ];
}

/** Adds what the statement before it changed. */
function tally(ctx: Ctx, counts: keyof ErasureCounts): SQL {
  const path = `$.${counts}`;
  return sql`UPDATE ${personErasures} SET erased = json_set(${personErasures.erased}, ${path},
    (${personErasures.erased} ->> ${path}) + changes()) WHERE ${personErasures.operation} = ${ctx.call.id}`;
}

async function deleteFiles(ctx: FileCtx, { shares }: Found): Promise<number> {
  let deleted = 0;
  for (const { files } of shares) {
    if (files === undefined || files.paths.length === 0) continue;
    await ctx.files(files.folder).delete(files.paths);
    deleted += files.paths.length;
  }
  return deleted;
}

function keptOf(ctx: Ctx, { kept }: Found): Kept[] {
  const until = companyDate(ctx.now + AUDIT_KEPT_MS, ctx.company.timezone);
  const why = "It says who erased what and when, by the ids of the records alone";
  return longest([...kept, { what: "audit_log", why, until }]);
}

/** By what remembered answers are known to hold the person. */
function answersOf({ person: { emails, phones, users, country }, shares }: Found) {
  const written = shares.flatMap((share) => share.contacts ?? []).flatMap((contact) => contact ?? []);
  return {
    texts: [
      ...emails,
      ...phones,
      ...users,
      ...phones.flatMap((one) => spellingsOf(one, country)),
      ...written,
    ],
    members: ["$.id", "$.customer_id"] as const,
    records: shares.flatMap(({ ids }) => ids.map(String)),
    names: shares.flatMap((share) => share.names ?? []).flatMap((name) => name || []),
  };
}
