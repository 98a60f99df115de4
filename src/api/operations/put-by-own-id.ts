import * as z from "zod";
import type { WriteCtx } from "#core/context.ts";
import { createOrChange } from "#core/write/create-or-change.ts";
import { ExternalParams } from "#shared/fields/external-id.ts";
import { changeableOf } from "#shared/fields/patch.ts";
import type { ChangeByOwnId, Described, Schema } from "./literal.ts";

type Literal = Partial<Described<Schema, z.ZodObject, Schema>> & { id?: string; path?: string };
type Verb = (ctx: WriteCtx, params: object, body: object) => Promise<unknown>;

/** The literal and the verb of the PUT beside a create, which makes the record or changes the one that has the id. */
export function putByOwnId(
  { path = "/", params, ...create }: Literal,
  { by, of, note, ...more }: ChangeByOwnId,
  verb: Verb,
): [literal: Literal, verb: Verb] {
  const said =
    "The body is that of a create: it makes the record (201), or changes the fields you send of the one that has the id (200).";
  const literal = {
    ...create,
    ...more,
    id: create.id?.replace("create", "createOrChange"),
    method: "put",
    path: `${path === "/" ? "" : path}/external/:external_id`,
    summary: `${create.summary?.replace("Create", "Create or change")} by your own id`,
    description: note === undefined ? said : `${said} ${note}`,
    params: params instanceof z.ZodObject ? params.extend(ExternalParams.shape) : ExternalParams,
    externalIds: { ...create.externalIds, change: undefined, changes: true },
    problems: [...(create.problems ?? []), ...(more.problems ?? [])],
  } as unknown as Literal;
  const change = by as unknown as Verb;
  return [
    literal,
    (ctx, given, body) =>
      createOrChange(
        ctx,
        () => verb(ctx, given, body),
        (later, id) =>
          change(later, { ...given, id }, of === undefined ? body : Object(changeableOf(of, body))),
      ),
  ];
}
