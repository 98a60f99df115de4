import { eq } from "drizzle-orm";
import type { Ctx } from "#core/context.ts";
import { requireScope } from "#core/required-scope.ts";
import { sha256Hex } from "#core/secrets/hash.ts";
import { atomic } from "#core/write/atomic.ts";
import { assignNumber } from "./configuration/chatapp-number.ts";
import { parseConfig } from "./configuration/parse-config.ts";
import { encryptConfig, providerTokens } from "./configuration/secret-kinds.ts";
import { defaultAtFirst, unsetDefault } from "./default-provider.ts";
import { type ProviderRow, provider } from "./record.ts";
import type { ProviderCreate } from "./schema.ts";
import { messagingProviders as providers } from "./tables.ts";

/** Connects a provider; the first active one of its channel becomes the default. */
export async function createProvider(ctx: Ctx, _params: unknown, body: ProviderCreate): Promise<ProviderRow> {
  // An account sees all that is sent through it, and its reply address gets the answers.
  requireScope(ctx, "messages:read");
  const { channel, kind, is_active: isActive = true, is_default: isDefault } = body;
  const { config, shown } = parseConfig(channel, kind, body.config);
  await assignNumber(ctx, config);
  const operation = ctx.call.id;
  const token = ctx.newToken();
  const [encryptedConfig, encryptedToken, tokenHash] = await Promise.all([
    encryptConfig(ctx, operation, config),
    ctx.encrypt(providerTokens, operation, token),
    sha256Hex(token),
  ]);
  return atomic(
    ctx,
    [
      ...(isActive && isDefault ? [unsetDefault(ctx, channel)] : []),
      ctx.db.insert(providers).values({
        operation,
        channel,
        kind,
        config: JSON.stringify(shown),
        encryptedConfig,
        encryptedToken,
        tokenHash,
        isActive: Number(isActive),
        isDefault: defaultAtFirst(channel, isActive, isDefault),
        createdAt: ctx.now,
        updatedAt: ctx.now,
      }),
    ],
    provider.select(eq(providers.operation, operation)),
  );
}
