import { type SQL, sql } from "drizzle-orm";
import type { Channel } from "../messages/tables.ts";
import type { ProviderPatch } from "./schema.ts";
import { messagingProviders as providers } from "./tables.ts";

/** Takes the default away from the provider of a channel that has it. */
export function unsetDefault(channel: Channel, when: SQL = sql`1`): SQL {
  return sql`UPDATE ${providers} SET is_default = 0 WHERE channel = ${channel} AND is_default = 1 AND ${when}`;
}

/** Whether a new provider is its channel's default: as asked, else where there is none; an inactive one never is. */
export function defaultAtFirst(
  channel: Channel,
  isActive: boolean,
  asked: boolean | undefined,
): SQL | number {
  if (!isActive) return 0;
  if (asked !== undefined) return Number(asked);
  return sql`NOT EXISTS (SELECT 1 FROM ${providers} WHERE channel = ${channel} AND is_active = 1 AND is_default = 1)`;
}

/** Whether a provider is active once it is changed: one that is not takes no default away. */
export function staysActive(id: number, { is_active: active }: ProviderPatch): SQL {
  if (active !== undefined) return sql`${Number(active)}`;
  return sql`EXISTS (SELECT 1 FROM ${providers} other WHERE other.id = ${id} AND other.is_active = 1)`;
}

/** Whether a provider is the default once it is changed; undefined where that stays as it is. */
export function defaultAfter({ is_active: active, is_default: asked }: ProviderPatch) {
  if (active === false) return 0;
  if (asked === undefined) return undefined;
  return active === true ? Number(asked) : sql`min(${Number(asked)}, ${providers.isActive})`;
}
