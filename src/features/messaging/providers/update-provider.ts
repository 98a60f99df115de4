import { eq, getTableColumns } from "drizzle-orm";
import type { Ctx } from "#core/context.ts";
import { requireScope } from "#core/required-scope.ts";
import { atomic, refuseIfNone } from "#core/write/atomic.ts";
import { read } from "#core/write/replay.ts";
import type { RecordParams } from "#shared/fields/ids.ts";
import { Problem } from "#shared/problem.ts";
import { releaseHeld, requeueOverdue } from "../dispatch/requeue.ts";
import { assignNumber, ownNumber, releaseNumber } from "./configuration/chatapp-number.ts";
import { parseConfig } from "./configuration/parse-config.ts";
import { encryptConfig } from "./configuration/secret-kinds.ts";
import { defaultAfter, staysActive, unsetDefault } from "./default-provider.ts";
import { type ProviderRow, provider } from "./record.ts";
import type { ProviderPatch } from "./schema.ts";
import { messagingProviders as providers } from "./tables.ts";

/**
 * Changes a provider; a configuration that is sent replaces the whole one, and lets a paused provider go on. One that is
 * switched off is no default.
 */
export async function updateProvider(
  ctx: Ctx,
  { id }: RecordParams,
  patch: ProviderPatch,
): Promise<ProviderRow> {
  if (patch.config !== undefined) requireScope(ctx, "messages:read");
  const here = eq(providers.id, id);
  const [[stored]] = await read(ctx, [
    ctx.db
      .select({ ...getTableColumns(providers), number: ownNumber })
      .from(providers)
      .where(here),
  ]);
  if (stored === undefined) throw new Problem("not_found");
  const parsed = patch.config && parseConfig(stored.channel, stored.kind, patch.config);
  if (parsed !== undefined) await assignNumber(ctx, parsed.config);
  const resumes = parsed !== undefined || patch.is_active === true;
  const row = await atomic(
    ctx,
    [
      ...(resumes ? [releaseHeld(ctx, id)] : []),
      ...(patch.is_default === true ? [unsetDefault(ctx, stored.channel, staysActive(id, patch))] : []),
      ctx.db
        .update(providers)
        .set({
          config: parsed && JSON.stringify(parsed.shown),
          encryptedConfig: parsed && (await encryptConfig(ctx, stored.operation, parsed.config)),
          isActive: patch.is_active === undefined ? undefined : Number(patch.is_active),
          isDefault: defaultAfter(patch),
          ...(resumes ? { lastError: null, pausedAt: null, failures: 0, restsUntil: null } : {}),
          updatedAt: ctx.now,
        })
        .where(here),
      refuseIfNone("not_found"),
    ],
    provider.select(here),
  );
  if (resumes && (stored.pausedAt !== null || stored.restsUntil !== null))
    ctx.afterwards(requeueOverdue(ctx));
  if (stored.number !== row.config.phone_number_id) await releaseNumber(ctx, stored.number);
  return row;
}
