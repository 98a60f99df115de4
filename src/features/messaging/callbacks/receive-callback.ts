import { and, eq, gt, or } from "drizzle-orm";
import type { Callback } from "#api/operations/callback.ts";
import type { EncryptionCtx, IdCtx, SystemWriteCtx } from "#core/context.ts";
import { sha256Hex } from "#core/secrets/hash.ts";
import { kindOf } from "#providers/messaging";
import { Problem } from "#shared/problem.ts";
import { messagingProviders as providers } from "#tables/messaging";
import { openConfig } from "../providers/configuration/secret-kinds.ts";
import { applyReceived, logUnread } from "./apply-received.ts";

/**
 * Receives the callback of a channel's provider, at the address that only this provider has. A wrong token is 404, a
 * wrong signature 401; all else is answered 200, because a provider repeats what it believes was lost.
 */
export async function receiveCallback(
  ctx: SystemWriteCtx & EncryptionCtx & IdCtx,
  channel: "sms" | "email",
  callback: Callback,
): Promise<object> {
  const { kind: name = "", token = "" } = callback.params;
  const hash = await sha256Hex(token);
  const isPrevious = and(
    eq(providers.previousTokenHash, hash),
    gt(providers.previousTokenExpiresAt, ctx.now),
  );
  const isItsToken = or(eq(providers.tokenHash, hash), isPrevious);
  const [rows] = await ctx.database.read([
    ctx.db
      .select({ operation: providers.operation, encryptedConfig: providers.encryptedConfig })
      .from(providers)
      .where(and(eq(providers.channel, channel), eq(providers.kind, name), isItsToken)),
  ]);
  const [provider] = rows;
  const kind = kindOf(channel, name);
  if (provider === undefined || kind?.receive === undefined) throw new Problem("not_found");
  const config = await openConfig(ctx, provider.operation, provider.encryptedConfig);
  const received = await kind.receive(callback, config);
  if (received === undefined) throw new Problem("invalid_signature", { status: 401 });
  logUnread(received.unread, `${channel} ${name}`);
  await applyReceived(ctx, channel, name, received);
  return { received: true };
}
