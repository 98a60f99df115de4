import { and, eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { ReadCtx } from "#core/context.ts";
import { messagingProviders as providers } from "#tables/messaging";
import type { Channel } from "../messages/channel.ts";
import type { ProviderPatch } from "./schema.ts";

const changed = alias(providers, "changed");

/** Takes the default away from the provider of a channel that has it. */
export function unsetDefault(ctx: ReadCtx, channel: Channel, when?: SQL): SQLWrapper {
  return ctx.db
    .update(providers)
    .set({ isDefault: 0 })
    .where(and(eq(providers.channel, channel), eq(providers.isDefault, 1), when));
}

/** Whether a new provider is its channel's default: as asked, else where there is none; an inactive one never is. */
export function defaultAtFirst(
  channel: Channel,
  isActive: boolean,
  asked: boolean | undefined,
): SQL | number {
  if (!isActive) return 0;
  if (asked !== undefined) return Number(asked);
  const { isDefault } = providers;
  return sql`NOT EXISTS (SELECT 1 FROM ${providers}
    WHERE ${providers.channel} = ${channel} AND ${providers.isActive} = 1 AND ${isDefault} = 1)`;
}

/** Whether a provider is active once it is changed: one that is not takes no default away. */
export function staysActive(id: number, { is_active: active }: ProviderPatch): SQL {
  if (active !== undefined) return sql`${Number(active)}`;
  return sql`EXISTS (SELECT 1 FROM ${providers} AS ${changed}
    WHERE ${changed.id} = ${id} AND ${changed.isActive} = 1)`;
}

/** Whether a provider is the default once it is changed; undefined where that stays as it is. */
export function defaultAfter({ is_active: active, is_default: asked }: ProviderPatch) {
  if (active === false) return 0;
  if (asked === undefined) return undefined;
  return active === true ? Number(asked) : sql`min(${Number(asked)}, ${providers.isActive})`;
}
