import { sql } from "drizzle-orm";
import type { CallCtx, WriteCtx } from "#core/context.ts";
import { type JsonRow, jsonObject } from "#core/sql/json.ts";
import { readOne } from "#core/sql/read-records.ts";
import { atomic } from "#core/write/atomic.ts";
import type { RecruitmentSettingsPatch } from "./schema.ts";
import { recruitmentSettings } from "./tables.ts";

const shape = { id: recruitmentSettings.id, retention_days: recruitmentSettings.retentionDays };
type SettingsRow = JsonRow<typeof shape>;
const select = () => sql<SettingsRow>`SELECT ${jsonObject(shape)} AS snapshot FROM ${recruitmentSettings}`;

export function getRecruitmentSettings(ctx: CallCtx): Promise<SettingsRow> {
  return readOne(ctx, select());
}

export function updateRecruitmentSettings(
  ctx: WriteCtx,
  _params: unknown,
  patch: RecruitmentSettingsPatch,
): Promise<SettingsRow> {
  return atomic(
    ctx,
    [ctx.db.update(recruitmentSettings).set({ retentionDays: patch.retention_days })],
    select(),
  );
}

export function renderRecruitmentSettings({ retention_days }: SettingsRow) {
  return { retention_days };
}
