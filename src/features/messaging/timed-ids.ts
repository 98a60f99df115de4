import type { IdCtx } from "#core/context.ts";
import type { Page } from "#shared/page.ts";
import { ulidTime } from "#shared/text/ulid.ts";

/** Ids that begin with the time of what they are of, so that a range of times is a range of ids. */
function timedIds(prefix: string) {
  const at = (epochMs: number) => `${prefix}${ulidTime(Math.max(0, epochMs))}`;
  return {
    fresh: (ctx: Pick<IdCtx, "newId">) => `${prefix}${ctx.newId()}`,
    /** What stands before every id of what came at an instant (epoch ms) or later. */
    at,
    /** What a page's ids are below: those of the page before, and of what came at an instant or later, if one is given. */
    below({ after }: Page, instant?: number): string | undefined {
      const last = after?.at(-1);
      const bound = typeof last === "string" ? last : `${prefix}~`;
      return instant === undefined ? bound : [bound, at(instant)].sort()[0];
    },
  };
}

export const { fresh: newMessageId, at: messageIdAt, below: belowMessage } = timedIds("msg_");
export const { fresh: newInboundId, at: inboundIdAt, below: belowInbound } = timedIds("inb_");
