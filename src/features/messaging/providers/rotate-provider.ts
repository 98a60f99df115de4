import { and, eq, ne, sql } from "drizzle-orm";
import type { EncryptionCtx, IdCtx, OutsideCtx, WriteCtx } from "#core/context.ts";
import { requireScope } from "#core/required-scope.ts";
import { sha256Hex } from "#core/secrets/hash.ts";
import { atomic, refuseIfNone } from "#core/write/atomic.ts";
import { read } from "#core/write/replay.ts";
import type { RecordParams } from "#shared/fields/ids.ts";
import { Problem } from "#shared/problem.ts";
import { providerTokens } from "./configuration/secret-kinds.ts";
import { type ProviderRow, provider } from "./record.ts";
import type { ProviderRotate } from "./schema.ts";
import { messagingProviders as providers } from "./tables.ts";

/** Gives a provider a new callback address. The old one keeps working for `overlap` seconds. */
export async function rotateProvider(
  ctx: WriteCtx & IdCtx & EncryptionCtx & OutsideCtx,
  { id }: RecordParams,
  body: ProviderRotate,
): Promise<ProviderRow> {
  // By the address that the answer shows, receipts and answers can be forged.
  requireScope(ctx, "messages:read");
  // All chat-apps call the platform's one address, which has no token.
  const here = and(eq(providers.id, id), ne(providers.channel, "chatapp"));
  const [[stored]] = await read(ctx, [
    ctx.db.select({ operation: providers.operation }).from(providers).where(here),
  ]);
  if (stored === undefined) throw new Problem("not_found");
  const token = ctx.newToken();
  const [encryptedToken, tokenHash] = await Promise.all([
    ctx.encrypt(providerTokens, stored.operation, token),
    sha256Hex(token),
  ]);
  return atomic(
    ctx,
    [
      ctx.db
        .update(providers)
        .set({
          previousTokenHash: sql`${providers.tokenHash}`,
          previousTokenExpiresAt: ctx.now + body.overlap_seconds * 1_000,
          encryptedToken,
          tokenHash,
          updatedAt: ctx.now,
        })
        .where(here),
      refuseIfNone("not_found"),
    ],
    provider.select(eq(providers.id, id)),
  );
}
