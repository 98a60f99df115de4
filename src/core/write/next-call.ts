import type { Ctx } from "../context.ts";

/** The context of what a call or a job does next: an operation of its own, under a name of its own in the audit log. */
export function nextCall(ctx: Ctx, name: string, key: string): Ctx {
  const id = ctx.newId();
  const call = { ...ctx.call, name, id, idempotencyRecordKey: `${key}:${id}`, auditedMembers: null };
  return { ...ctx, call };
}
