import { and, eq, ne, sql } from "drizzle-orm";
import type { IdCtx, SealCtx, WriteCtx } from "#platform/context.ts";
import { sha256Hex } from "#platform/secrets/hash.ts";
import { atomic, refuseIfNone } from "#platform/write/atomic.ts";
import { read } from "#platform/write/operation-memory.ts";
import type { RecordParams } from "#shared/fields/ids.ts";
import { Problem } from "#shared/problem.ts";
import { providerTokens } from "./configuration/seals.ts";
import type { ProviderRotate } from "./schema.ts";
import { type ProviderRow, selectProviders } from "./snapshot.ts";
import { messagingProviders as providers } from "./tables.ts";

/** Gives a provider a new callback address. The old one keeps working for `overlap` seconds. */
export async function rotateProvider(
  ctx: WriteCtx & IdCtx & SealCtx,
  { id }: RecordParams,
  body: ProviderRotate,
): Promise<ProviderRow> {
  // All chat-apps call the platform's one address, which has no token.
  const here = and(eq(providers.id, id), ne(providers.channel, "chatapp"));
  const [[stored]] = await read(ctx, [
    ctx.db.select({ operation: providers.operation }).from(providers).where(here),
  ]);
  if (stored === undefined) throw new Problem("not_found");
  const token = ctx.newToken();
  const [sealedToken, tokenHash] = await Promise.all([
    ctx.seal(providerTokens, stored.operation, token),
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
          sealedToken,
          tokenHash,
          updatedAt: ctx.now,
        })
        .where(here),
      refuseIfNone("not_found"),
    ],
    selectProviders(eq(providers.id, id)),
  );
}
