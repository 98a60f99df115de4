import type { IdCtx } from "#core/context.ts";
import { ulidTime } from "#shared/text/ulid.ts";

/** A fresh id of a message; ids sort by the time of acceptance. */
export function newMessageId(ctx: IdCtx): string {
  return `msg_${ctx.newId()}`;
}

/** What stands before every id of a message that was accepted at an instant (epoch ms) or later. */
export function messageIdAt(epochMs: number): string {
  return `msg_${ulidTime(Math.max(0, epochMs))}`;
}
