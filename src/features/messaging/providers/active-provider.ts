import { and, desc, eq, isNotNull } from "drizzle-orm";
import type { Ctx, OutsideCtx, ReadCtx } from "#core/context.ts";
import { PLATFORM_MAILER } from "#providers/delivery";
import { pick } from "#shared/pick.ts";
import { Problem } from "#shared/problem.ts";
import { messagingProviders } from "#tables/messaging";
import type { Channel } from "../messages/channel.ts";

/** Who will carry a message; `id` is null for the platform's own mailer. */
export type ActiveProvider = {
  id: number | null;
  kind: string;
  config: Record<string, unknown>;
  paused: boolean;
};

type Row = { id: number; kind: string; config: string; pausedAt?: number | null };

/** The query for the active provider of a channel: rather one that is not paused, then the default one, then the oldest. */
export function activeProvider(ctx: Pick<Ctx, "db">, channel: Channel) {
  return ctx.db
    .select(pick(messagingProviders, "id", "kind", "config", "pausedAt"))
    .from(messagingProviders)
    .where(and(eq(messagingProviders.channel, channel), eq(messagingProviders.isActive, 1)))
    .orderBy(
      isNotNull(messagingProviders.pausedAt),
      desc(messagingProviders.isDefault),
      messagingProviders.id,
    )
    .limit(1);
}

/** The provider found, or for e-mail the platform's; throws 422 `no_active_provider` where there is none. */
export function requireProvider(
  ctx: ReadCtx & OutsideCtx,
  channel: Channel,
  rows: readonly Row[],
): ActiveProvider {
  const [row] = rows;
  if (row !== undefined) {
    const { id, kind, config, pausedAt = null } = row;
    return { id, kind, config: JSON.parse(config), paused: pausedAt !== null };
  }
  const mailer = channel === "email" ? platformMailer(ctx) : null;
  if (mailer !== null) return mailer;
  throw new Problem("no_active_provider", {
    message: `No provider is active for ${channel}: add one under /settings/{company}/messaging-providers`,
  });
}

/** The platform's own mailer; null where it has none. */
export function platformMailer({ services }: Pick<OutsideCtx, "services">): ActiveProvider | null {
  return services.mailer && { id: null, kind: PLATFORM_MAILER, config: {}, paused: false };
}
