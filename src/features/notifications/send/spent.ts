import { isNotNull } from "drizzle-orm";
import type { QuotaShare, ReadCtx } from "#core/context.ts";
import { recipientsSince } from "#features/messaging";
import { STRANGER_LIMITS } from "#shared/strangers.ts";
import { messages } from "#tables/messaging";
import { isMessageByStranger } from "./by-stranger.ts";

/** How many recipients the company's notifications have had since an instant (epoch ms). */
export function spentSince(ctx: ReadCtx, since: number): Promise<number> {
  return recipientsSince(ctx, since, isNotNull(messages.rule));
}

/** The share of a day's cap that strangers have together. */
export function shareOfStrangers(ctx: ReadCtx, cap: number): QuotaShare {
  return {
    name: "strangers",
    cap: Math.ceil(cap * STRANGER_LIMITS.partOfDay),
    spent: (since) => recipientsSince(ctx, since, isMessageByStranger),
  };
}
