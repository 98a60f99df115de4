import { sql } from "drizzle-orm";
import type { CallCtx, EncryptionCtx, WriteCtx } from "#core/context.ts";
import { type JsonRow, jsonObject } from "#core/sql/json.ts";
import { readOne } from "#core/sql/read-records.ts";
import { atomic } from "#core/write/atomic.ts";
import type { LeadSettingsPatch } from "./schema.ts";
import { turnstileSecrets } from "./secret-kinds.ts";
import { leadSettings } from "./tables.ts";

const HINT_CHARACTERS = 4;

const shape = {
  id: leadSettings.id,
  retention_days: leadSettings.retentionDays,
  turnstile: leadSettings.turnstileHint,
};
type SettingsRow = JsonRow<typeof shape>;
const select = () => sql<SettingsRow>`SELECT ${jsonObject(shape)} AS snapshot FROM ${leadSettings}`;

export function getLeadSettings(ctx: CallCtx): Promise<SettingsRow> {
  return readOne(ctx, select());
}

export async function updateLeadSettings(
  ctx: WriteCtx & EncryptionCtx,
  _params: unknown,
  { retention_days: retentionDays, turnstile_secret: secret }: LeadSettingsPatch,
): Promise<SettingsRow> {
  return atomic(
    ctx,
    [
      ctx.db.update(leadSettings).set({
        retentionDays,
        turnstileSecret: secret && (await ctx.encrypt(turnstileSecrets, "", secret)),
        turnstileHint: secret === null ? null : secret?.slice(-HINT_CHARACTERS),
      }),
    ],
    select(),
  );
}

/** A remembered answer of release 1.0 has the secret's end under another name. */
export function renderLeadSettings(row: SettingsRow & { turnstile_hint?: string | null }) {
  const hint = row.turnstile ?? row.turnstile_hint ?? null;
  return {
    retention_days: row.retention_days,
    turnstile: { configured: hint !== null, last_characters: hint },
  };
}
