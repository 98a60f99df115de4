import { and, desc, eq } from "drizzle-orm";
import type { Ctx } from "#platform/context.ts";
import { PLATFORM_MAILER } from "#providers/delivery";
import { Problem } from "#shared/problem.ts";
import { type Channel, messagingProviders } from "./tables.ts";

/** Who will carry a message; `id` is null for the platform's own mailer. */
export type ActiveProvider = { id: number | null; kind: string; config: Record<string, unknown> };

type Row = { id: number; kind: string; config: string };

/** The query for the provider of a channel: the default one, else the oldest active one. */
export function activeProvider(ctx: Pick<Ctx, "db">, channel: Channel) {
  return ctx.db
    .select({
      id: messagingProviders.id,
      kind: messagingProviders.kind,
      config: messagingProviders.config,
    })
    .from(messagingProviders)
    .where(and(eq(messagingProviders.channel, channel), eq(messagingProviders.isActive, 1)))
    .orderBy(desc(messagingProviders.isDefault), messagingProviders.id)
    .limit(1);
}

/** The provider found, or for e-mail the platform's; throws 422 `no_active_provider` where there is none. */
export function requireProvider(ctx: Ctx, channel: Channel, rows: readonly Row[]): ActiveProvider {
  const [row] = rows;
  if (row !== undefined) return { id: row.id, kind: row.kind, config: JSON.parse(row.config) };
  if (channel === "email" && ctx.services.mailer !== null)
    return { id: null, kind: PLATFORM_MAILER, config: {} };
  throw new Problem("no_active_provider", { message: `No provider is active for ${channel}` });
}
