import { type SQL, sql } from "drizzle-orm";
import { operations } from "#tables/core";
import type { Ctx } from "../context.ts";

/** The statement that forgets what this call did, so that a call with the same Idempotency-Key is judged afresh. */
export function forgetCall({ call }: Pick<Ctx, "call">): SQL {
  return sql`DELETE FROM ${operations} WHERE scope = ${call.idempotencyRecordKey}`;
}

/** The statement that adds a field to the answer that a retry of this call gets. */
export function addToAnswer({ call }: Pick<Ctx, "call">, field: string, value: unknown): SQL {
  return sql`UPDATE ${operations} SET snapshot = json_set(snapshot, ${`$.${field}`}, json(${JSON.stringify(value)}))
    WHERE scope = ${call.idempotencyRecordKey}`;
}

/** The statement that makes `snapshot`, a SELECT, the answer that a retry of this call gets. */
export function replaceAnswer({ call }: Pick<Ctx, "call">, snapshot: SQL): SQL {
  return sql`UPDATE ${operations} SET snapshot = (${snapshot}) WHERE scope = ${call.idempotencyRecordKey}`;
}

/** The statement that takes fields, by their JSON paths, out of the answer that a retry of another call gets. */
export function removeFromAnswer(idempotencyRecordKey: SQL, paths: readonly `$.${string}`[]): SQL {
  const removed = sql.join(
    paths.map((path) => sql`${path}`),
    sql`, `,
  );
  return sql`UPDATE ${operations} SET snapshot = json_remove(snapshot, ${removed}) WHERE scope = (${idempotencyRecordKey})`;
}
