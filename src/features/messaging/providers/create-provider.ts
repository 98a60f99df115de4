import { eq } from "drizzle-orm";
import type { Ctx } from "#platform/context.ts";
import { sha256Hex } from "#platform/secrets/hash.ts";
import { atomic } from "#platform/write/atomic.ts";
import { claimNumber } from "./configuration/chatapp-number.ts";
import { parseConfig } from "./configuration/parse-config.ts";
import { providerTokens, sealConfig } from "./configuration/seals.ts";
import { defaultAtFirst, unsetDefault } from "./default-provider.ts";
import type { ProviderCreate } from "./schema.ts";
import { type ProviderRow, selectProviders } from "./snapshot.ts";
import { messagingProviders as providers } from "./tables.ts";

/** Connects a provider; the first active one of its channel becomes the default. */
export async function createProvider(ctx: Ctx, _params: unknown, body: ProviderCreate): Promise<ProviderRow> {
  const { channel, kind, is_active: isActive = true, is_default: isDefault } = body;
  const { config, shown } = parseConfig(channel, kind, body.config);
  await claimNumber(ctx, config);
  const operation = ctx.call.id;
  const token = ctx.newToken();
  const [sealedConfig, sealedToken, tokenHash] = await Promise.all([
    sealConfig(ctx, operation, config),
    ctx.seal(providerTokens, operation, token),
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
        sealedConfig,
        sealedToken,
        tokenHash,
        isActive: Number(isActive),
        isDefault: defaultAtFirst(channel, isActive, isDefault),
        createdAt: ctx.now,
        updatedAt: ctx.now,
      }),
    ],
    selectProviders(eq(providers.operation, operation)),
  );
}
