import { isNotNull } from "drizzle-orm";
import type { ReadCtx } from "#core/context.ts";
import { recipientsSince } from "#features/messaging";
import { messages } from "#tables/messaging";

/** How many recipients the company's notifications have had since an instant (epoch ms). */
export function spentSince(ctx: ReadCtx, since: number): Promise<number> {
  return recipientsSince(ctx, since, isNotNull(messages.rule));
}
