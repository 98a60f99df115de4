import { sql } from "drizzle-orm";
import type { BackgroundCtx } from "#core/context.ts";
import { type Due, lookAt } from "#core/due.ts";
import { NOTIFY_TASK } from "#core/jobs.ts";
import { MINUTE_MS } from "#shared/time/durations.ts";
import { notifications } from "#tables/notifications";

/** Notifications whose time has come, and those whose job was lost: one job sends them all. */
export const notificationsDue: Due = {
  look: (ctx) =>
    lookAt(ctx, {
      table: notifications,
      index: "notifications_due",
      where: sql`${notifications.state} = 'due'`,
      instant: sql`${notifications.dueAt}`,
    }),
  async act(ctx: BackgroundCtx & { now: number }) {
    await ctx.enqueue([NOTIFY_TASK]);
    return ctx.now + MINUTE_MS;
  },
};
