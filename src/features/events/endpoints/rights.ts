import { sql } from "drizzle-orm";
import type { CallCtx, OutsideCtx } from "#core/context.ts";
import { readOne } from "#core/sql/read-records.ts";
import { eventEndpoints as endpoints } from "#tables/events";
import { type Resources, requireReadable } from "../events.ts";
import { EVENT_TYPES, TYPE_NAMES, typesMeant } from "../types.ts";

/** The types that a word of an endpoint asks for; `*` means those that are always recorded. */
export function typesAsked(word: string) {
  return word === "*" ? TYPE_NAMES.filter((name) => !("onDemand" in EVENT_TYPES[name])) : typesMeant(word);
}

/** Throws 403 `insufficient_scope` where the key may not read a record that these words have sent: a key gives no more than it has. */
export function requireReads(ctx: OutsideCtx, words: readonly string[], resources: Resources): void {
  for (const type of words.flatMap(typesAsked)) requireReadable(ctx, EVENT_TYPES[type], resources);
}

/** The same for an endpoint that is there; 404 where it is not. */
export async function requireReadsOf(
  ctx: CallCtx & OutsideCtx,
  id: number | string,
  resources: Resources,
): Promise<void> {
  const { types } = await readOne(
    ctx,
    sql<{ types: string[] }>`SELECT json_object('types', json(${endpoints.types})) AS snapshot
      FROM ${endpoints} WHERE ${endpoints.id} = ${id}`,
  );
  requireReads(ctx, types, resources);
}
