import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Result } from "#core/database/database.ts";
import { BatchRefused } from "#core/database/failure.ts";
import { type Given, keptStatement } from "#core/sql/kept-statements.ts";
import { isProblemCode, Problem } from "#shared/problem.ts";
import { operations, refusal } from "#tables/core";
import type { SystemWriteCtx, WriteCtx } from "../context.ts";
import { requireAdmission } from "../coordination.ts";
import { logFault } from "../log.ts";
import { auditRow } from "./audit-log.ts";
import { queueStamped, stampEvents } from "./events.ts";
import { MadeBefore, takenMeanwhile, takingExternal } from "./external-ids.ts";
import {
  AlreadyDone,
  isUnserved,
  KEYED_MS,
  lookUpOwn,
  outcomeUnknown,
  problemText,
  REFUSED_MS,
  recall,
  UNKEYED_MS,
  waitAlone,
} from "./replay.ts";
import { toldAround } from "./setting-changes.ts";
import { violationProblem } from "./unique-violations.ts";

const OWN_ROW_STANDS = "operations.scope";

/** What a refusal may mean: that the call has to write another batch. */
export class AnotherBatch extends Error {}

/** Whether what came with a name of its own is to be looked at again: another call wrote first, or this one's answer was lost. */
export function isOvertaken(error: unknown): boolean {
  return error instanceof AnotherBatch || (error instanceof Problem && error.code === "outcome_unknown");
}

type Snapshot = { snapshot: SQL; idempotencyRecordKey: string };

const insertOperation = keptStatement(
  (given: Given<{ idempotencyRecordKey: string; fingerprint: string; now: number; expiresAt: number }>) =>
    sql`INSERT INTO ${operations} (scope, fingerprint, created_at, expires_at)
      VALUES (${given.idempotencyRecordKey}, ${given.fingerprint}, ${given.now}, ${given.expiresAt})`,
);
const deleteExpired = keptStatement(
  ({ idempotencyRecordKey, now }: Given<{ idempotencyRecordKey: string; now: number }>) =>
    sql`DELETE FROM ${operations} WHERE scope = ${idempotencyRecordKey} AND expires_at <= ${now}`,
);
const updateSnapshot = keptStatement((given: Given<Snapshot>) => snapshotUpdate(given, sql``));
// The trigger that names what changed is prepared with this one alone.
const updateBothSnapshots = keptStatement((given: Given<Snapshot>) =>
  snapshotUpdate(given, sql`, before = NULL`),
);
const keepAsItWas = keptStatement(
  ({ snapshot, idempotencyRecordKey, auditedMembers }: Given<Snapshot & { auditedMembers: string }>) =>
    sql`UPDATE ${operations} SET before = json_set((${snapshot}), '$.audited', json(${auditedMembers}))
      WHERE scope = ${idempotencyRecordKey}`,
);
/** What a refusal raised in the database means here, where its code alone does not say enough. */
export type Refusals = Record<string, () => Problem | AnotherBatch | Promise<Problem>>;

/**
 * How a call writes: the operation's row, the statements, a snapshot of the record and the audit row commit in one
 * batch or not at all, so a retry of any kind finds the first answer. `snapshot` is the read operation's own SELECT of
 * one JSON text with an `id`; its parsed row is the result. `note` is kept in the audit log. The last statement stamps the
 * events that triggers left. Throws the problem that a constraint or refusal names.
 */
export async function atomic<Row>(
  ctx: WriteCtx,
  statements: readonly SQLWrapper[],
  snapshot: SQL<Row>,
  refusals: Refusals = {},
  note: string | null = null,
): Promise<Row> {
  await takeTurn(ctx);
  await lookUpOwn(ctx);
  ctx.scheduleClock();
  // Thrown, so that its call does nothing after it: no money is sent, nothing queued.
  if (ctx.call.isDryRun) throw new AlreadyDone(await dryRun(ctx, statements, snapshot, refusals), false);
  const stamp = await stampEvents(ctx, ctx.call.idempotencyRecordKey);
  try {
    const results = await ctx.database.write([...writing(ctx, statements, snapshot, note), ...stamp]);
    queueStamped(ctx, stamp, results);
    if (ctx.call.setting !== undefined) ctx.queueNotifications();
    return JSON.parse(String(results.at(-2 - stamp.length)?.rows[0]?.snapshot));
  } catch (error) {
    if (!(error instanceof BatchRefused)) throw error;
    const mayStillCommit = error.afterUnknown && error.code !== OWN_ROW_STANDS;
    const refused: unknown = await refusalProblem(ctx, error, refusals).catch((thrown) => thrown);
    const reason = mayStillCommit ? await makeFinal(ctx, refused) : refused;
    // An earlier attempt of this very call committed, and only its answer was lost.
    if (reason instanceof AlreadyDone && reason.byThisCall) return reason.row as Row;
    throw reason;
  }
}

/** What `atomic` would answer, out of a batch that takes all back which it wrote. */
async function dryRun<Row>(
  ctx: WriteCtx,
  statements: readonly SQLWrapper[],
  snapshot: SQL<Row>,
  refusals: Refusals,
): Promise<Row> {
  try {
    const results = await ctx.database.write([
      sql`SAVEPOINT dry_run`,
      ...writing(ctx, statements, snapshot, null),
      sql`ROLLBACK TO dry_run`,
    ]);
    return JSON.parse(String(results.at(-3)?.rows[0]?.snapshot));
  } catch (error) {
    throw error instanceof BatchRefused ? await refusalProblem(ctx, error, refusals) : error;
  }
}

/**
 * The operation's row, the statements between the record as it was and as it is, and the audit row. Of an update a trigger
 * compares the record before it with the snapshot, and names what changed.
 */
function writing<Row>(
  ctx: WriteCtx,
  statements: readonly SQLWrapper[],
  snapshot: SQL<Row>,
  note: string | null,
): SQLWrapper[] {
  const { auditedMembers, idempotencyRecordKey } = ctx.call;
  const told = toldAround(ctx, ctx.call.setting);
  return [
    ...beginOperation(ctx),
    ...(auditedMembers === null ? [] : [keepAsItWas({ snapshot, idempotencyRecordKey, auditedMembers })]),
    ...told.before,
    ...takingExternal(ctx, statements),
    ...told.after,
    (auditedMembers === null ? updateSnapshot : updateBothSnapshots)({ snapshot, idempotencyRecordKey }),
    auditRow(ctx, note),
  ];
}

/**
 * One batch of statements of a callback or a job, or that follow a call's own write. They are guarded, so that a second
 * attempt after an unknown outcome changes nothing. The batch leaves no idempotency record. The events that triggers
 * leave are stamped. Throws `BatchRefused`, or a 503 problem.
 */
export async function systemWrite(ctx: SystemWriteCtx, statements: readonly SQLWrapper[]): Promise<Result[]> {
  const stamp = await stampEvents(ctx);
  const results = await ctx.database.write([...statements, ...stamp]);
  queueStamped(ctx, stamp, results);
  return results;
}

/**
 * Waits until the call may act: admitted by the limiter, and alone with its Idempotency-Key. Throws `AlreadyDone` when
 * an equal call has just succeeded.
 */
export async function takeTurn(ctx: WriteCtx): Promise<void> {
  const [isFinished] = await Promise.all([waitAlone(ctx), requireAdmission(ctx.admission)]);
  if (isFinished) await recall(ctx, false);
}

/** Aborts the whole batch with `code` when the statement before it touched no row. */
export function refuseIfNone(code: string): SQL {
  return sql`INSERT INTO ${refusal} (code) SELECT ${code} WHERE changes() = 0`;
}

/** Aborts the whole batch with `code` when `condition` holds. */
export function refuseWhen(condition: SQL, code: string): SQL {
  return sql`INSERT INTO ${refusal} (code) SELECT ${code} WHERE ${condition}`;
}

/** Aborts the batch where an id is given and the SELECT of its record, `found`, finds none. */
export function requireReferred(id: number | null | undefined, found: SQL, code: string): SQL[] {
  return id == null ? [] : [refuseWhen(sql`NOT EXISTS (${found})`, code)];
}

function beginOperation(ctx: WriteCtx): SQL[] {
  const { idempotencyRecordKey, fingerprint } = ctx.call;
  const expiresAt = ctx.now + (fingerprint === null ? UNKEYED_MS : KEYED_MS);
  const insert = insertOperation({
    idempotencyRecordKey,
    fingerprint: fingerprint ?? "",
    now: ctx.now,
    expiresAt,
  });
  return fingerprint === null ? [insert] : [deleteExpired({ idempotencyRecordKey, now: ctx.now }), insert];
}

function snapshotUpdate({ snapshot, idempotencyRecordKey }: Given<Snapshot>, before: SQL): SQL {
  return sql`UPDATE ${operations} SET snapshot = (${snapshot})${before}
    WHERE scope = ${idempotencyRecordKey} RETURNING snapshot`;
}

async function refusalProblem(ctx: WriteCtx, refused: BatchRefused, refusals: Refusals): Promise<Error> {
  const { code } = refused;
  // The operation's own row stands already: it committed before, in an earlier attempt or an earlier call.
  if (code === OWN_ROW_STANDS) await recall(ctx, refused.afterUnknown);
  const explain = refusals[code];
  if (explain !== undefined) return explain();
  if (code === "external_id_taken") return takenMeanwhile(ctx);
  if (code === "audit_log.record") return new Problem("not_found");
  const violation = await violationProblem(code);
  return violation ?? (isProblemCode(code) ? new Problem(code) : refused);
}

/**
 * Makes a refusal final whose call has an earlier attempt that may still commit: the refusal is stored as the operation's
 * own row, so that only one of the two can stand. Gives what is to be thrown: the reason, or what stands already.
 */
async function makeFinal(ctx: WriteCtx, reason: unknown): Promise<unknown> {
  if (isUnserved(reason) || reason instanceof AnotherBatch || reason instanceof MadeBefore)
    return outcomeUnknown();
  const problem = reason instanceof Problem ? reason : new Problem("internal_error");
  try {
    await ctx.database.write([
      ...beginOperation(ctx),
      sql`UPDATE ${operations} SET refused = ${problemText(problem)}, expires_at = ${ctx.now + REFUSED_MS}
        WHERE scope = ${ctx.call.idempotencyRecordKey}`,
    ]);
    return reason;
  } catch (error) {
    if (error instanceof BatchRefused && error.code === OWN_ROW_STANDS)
      return recall(ctx, true).then(outcomeUnknown, (thrown: unknown) => thrown);
    if (!(error instanceof Problem)) logFault("refusal_settling", error);
    return outcomeUnknown();
  }
}
