import { sql } from "drizzle-orm";
import type { CallCtx, OutsideCtx, WriteCtx } from "#core/context.ts";
import { type JsonRow, jsonObject } from "#core/sql/json.ts";
import { readOne } from "#core/sql/read-records.ts";
import { atomic } from "#core/write/atomic.ts";
import { refuseShorter } from "#core/write/keep-shorter.ts";
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

/** Changes the settings; the next hourly job erases what is too old. */
export function updateMessagingSettings(
  ctx: WriteCtx & OutsideCtx,
  _params: unknown,
  patch: MessagingSettingsPatch,
): Promise<SettingsRow> {
  const words = patch.optout_words;
  const change = {
    contentDays: patch.content_days,
    messageDays: patch.message_days,
    optoutWords: words === undefined ? undefined : JSON.stringify(words),
  };
  const erasing = ["messages:write"];
  const contents = refuseShorter(ctx, messagingSettings.contentDays, patch.content_days, erasing);
  const whole = refuseShorter(ctx, messagingSettings.messageDays, patch.message_days, erasing);
  return atomic(
    ctx,
    [...contents.guards, ...whole.guards, ctx.db.update(messagingSettings).set(change)],
    select(),
    { ...contents.refusals, ...whole.refusals },
  );
}

export function renderMessagingSettings({ id: _, ...settings }: SettingsRow) {
  return settings;
}
