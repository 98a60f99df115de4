import { sql } from "drizzle-orm";
import type { CallCtx, WriteCtx } from "#platform/context.ts";
import { type JsonRow, jsonObject } from "#platform/sql/json.ts";
import { readOne } from "#platform/sql/read-records.ts";
import { atomic } from "#platform/write/atomic.ts";
import type { MessagingSettingsPatch } from "./schema.ts";
import { messagingSettings } from "./tables.ts";

const shape = {
  id: messagingSettings.id,
  content_days: messagingSettings.contentDays,
  message_days: messagingSettings.messageDays,
};
type SettingsRow = JsonRow<typeof shape>;
const select = () => sql<SettingsRow>`SELECT ${jsonObject(shape)} AS snapshot FROM ${messagingSettings}`;

/** For how many days messages and their contents are kept. */
export function getMessagingSettings(ctx: CallCtx): Promise<SettingsRow> {
  return readOne(ctx, select());
}

/** Changes how long messages are kept; what is too old by it goes with the next housekeeping. */
export function updateMessagingSettings(
  ctx: WriteCtx,
  _params: unknown,
  patch: MessagingSettingsPatch,
): Promise<SettingsRow> {
  const change = { contentDays: patch.content_days, messageDays: patch.message_days };
  return atomic(ctx, [ctx.db.update(messagingSettings).set(change)], select());
}

export function renderMessagingSettings({ content_days, message_days }: SettingsRow) {
  return { content_days, message_days };
}
