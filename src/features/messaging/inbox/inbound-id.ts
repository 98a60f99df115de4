import type { IdCtx } from "#core/context.ts";
import { ulidTime } from "#shared/text/ulid.ts";

/** A fresh id of what a person wrote; ids sort by the time at which it came. */
export function newInboundId(ctx: Pick<IdCtx, "newId">): string {
  return `inb_${ctx.newId()}`;
}

/** What stands before every id of what came at an instant (epoch ms) or later. */
export function inboundIdAt(epochMs: number): string {
  return `inb_${ulidTime(Math.max(0, epochMs))}`;
}
