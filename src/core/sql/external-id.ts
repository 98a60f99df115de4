import { type Column, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import type { ExternalKind } from "#core/write/external-id.ts";
import type { ResourceName } from "#shared/resource-names.ts";
import { described, from, rendered } from "./fields.ts";

const shown = rendered(z.string().nullable(), (id: string | null | undefined) => id ?? null);

/** The SELECT of the ids that callers have given to a record, the first of them first; `tail` goes on after ORDER BY. */
export function externalIdsOf(kind: ExternalKind, id: Column): SQL {
  return sql`SELECT external_id FROM external_ids WHERE kind = ${sql.raw(`'${kind}'`)}
    AND record_id = CAST(${id} AS TEXT) AND is_erased = 0 ORDER BY created_at, external_id`;
}

/** The field of a record with the id that its caller gave it. */
export function externalIdField(kind: ExternalKind, id: Column) {
  const first = sql<string | null>`(${externalIdsOf(kind, id)} LIMIT 1)`;
  return from(first, described(shown, "The id that you gave it, or null."));
}

/** Turns a snapshot without an `external_id` into one with it. */
export function withExternalId(row: object): object {
  return { ...row, external_id: null };
}

/** The condition that a record has an id of its caller's, where one is given. */
export function hasExternalId(
  kind: ResourceName,
  id: Column,
  externalId: string | undefined,
): SQL | undefined {
  if (externalId === undefined) return undefined;
  return sql`${id} = (SELECT CAST(record_id AS ${sql.raw(id.getSQLType())}) FROM external_ids
    WHERE kind = ${sql.raw(`'${kind}'`)} AND external_id = ${externalId})`;
}
