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
  optout_words: sql<string[]>`json(${messagingSettings.optoutWords})`,
};
type SettingsRow = JsonRow<typeof shape>;
const select = () => sql<SettingsRow>`SELECT ${jsonObject(shape)} AS snapshot FROM ${messagingSettings}`;

/** For how many days messages and their contents are kept, and which words of the company's own opt out. */
export function getMessagingSettings(ctx: CallCtx): Promise<SettingsRow> {
  return readOne(ctx, select());
}

/** Changes the settings; what is too old by it goes with the next housekeeping. */
export function updateMessagingSettings(
  ctx: WriteCtx,
  _params: unknown,
  patch: MessagingSettingsPatch,
): Promise<SettingsRow> {
  const words = patch.optout_words;
  const change = {
    contentDays: patch.content_days,
    messageDays: patch.message_days,
    optoutWords: words === undefined ? undefined : JSON.stringify(words),
  };
  return atomic(ctx, [ctx.db.update(messagingSettings).set(change)], select());
}

export function renderMessagingSettings({ id: _, ...settings }: SettingsRow) {
  return settings;
}
