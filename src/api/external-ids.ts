import { type Area, commonIn } from "#api/operations/areas.ts";
import type { Operation } from "#api/operations/operation.ts";
import type { Ctx } from "#core/context.ts";
import { sha256Hex } from "#core/secrets/hash.ts";
import { MadeBefore } from "#core/write/external-ids.ts";
import { AlreadyDone } from "#core/write/replay.ts";
import { fieldProblem } from "#shared/problem.ts";
import { pathOf, type RequestContext } from "./request-state.ts";

/** The context of a call that may send an id of its own, with the one that it sends. */
export async function withExternalId(
  c: RequestContext,
  { externalIds, area }: Operation,
  ctx: Ctx,
): Promise<Ctx> {
  const { key, body = new Uint8Array() } = c.get("state");
  if (externalIds === undefined || key === undefined) return ctx;
  const { external_id: sent } = Object(c.req.valid("json" as never));
  const { external_id: id = sent } = externalIds.changes ? Object(c.req.valid("param" as never)) : {};
  if (id == null) return ctx;
  if (sent != null && sent !== id)
    throw fieldProblem("external_id", "invalid_value", "must be that of the address");
  if (key.type !== "secret")
    throw fieldProblem("external_id", "secret_key_required", "is taken from a secret key alone");
  const externalId = {
    ...externalIds,
    id: String(id),
    // Without the company's name, for a backup may be restored under another.
    create: `${pathOf(c).replace(`/${ctx.company.slug}`, "")} ${await sha256Hex(body)}`,
    mayRead: commonIn(area as Area).read.some((scope) => ctx.client.holds(scope)),
    secrets: ctx,
  };
  return { ...ctx, call: { ...ctx.call, externalId } };
}

/** What the same create answered before, where its own id is of the record that it made. */
export async function answerAgain(
  { externalIds }: Operation,
  ctx: Ctx,
  input: unknown,
  error: unknown,
): Promise<never> {
  if (!(error instanceof MadeBefore) || externalIds?.again === undefined) throw error;
  const again = externalIds.again as (ctx: Ctx, recordId: string, input: unknown) => Promise<unknown>;
  throw new AlreadyDone(await again(ctx, error.recordId, input), false);
}
