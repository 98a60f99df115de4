import { sql } from "drizzle-orm";
import * as z from "zod";
import { Router } from "#api/operations/operation.ts";
import type { CallCtx, OutsideCtx, WriteCtx } from "#core/context.ts";
import { internal, json } from "#core/sql/fields.ts";
import { readOne } from "#core/sql/read-records.ts";
import { type RowOf, record } from "#core/sql/record.ts";
import { atomic } from "#core/write/atomic.ts";
import { refuseShorter } from "#core/write/keep-shorter.ts";
import { patchOf } from "#shared/fields/patch.ts";
import { messagingSettings } from "#tables/messaging";
import { isOptIn, MOST_WORD_CHARACTERS, plainWord } from "../contacts/words.ts";

const MOST_WORDS = 20;

const days = (description: string) => z.int().min(1).max(3_650).meta({ description });

const optoutWord = z
  .string()
  .max(MOST_WORD_CHARACTERS, `must have at most ${MOST_WORD_CHARACTERS} characters`)
  .transform(plainWord)
  .refine((word) => word !== "", { params: { code: "too_small" }, error: "must not be empty" })
  .refine((word) => !isOptIn(word), { params: { code: "invalid_value" }, error: "is a word that opts in" });

const sent = z.object({
  content_days: days("Texts and HTML are erased so many days after they were accepted."),
  message_days: days("Messages are forgotten, with what became of them, after so many days."),
  optout_words: z
    .array(optoutWord)
    .max(MOST_WORDS, `must have at most ${MOST_WORDS} words`)
    .transform((words) => [...new Set(words)])
    .describe(
      "Words that opt a person out if they are the whole message, in addition to STOP and the country's words.",
    ),
});
const patch = patchOf(sent);

const settings = record(messagingSettings, {
  id: internal<number>(),
  content_days: sent.shape.content_days,
  message_days: sent.shape.message_days,
  optout_words: json(
    z.array(z.string()).describe("Words that opt a person out, besides STOP and the country's words."),
  ),
});
type SettingsRow = RowOf<typeof settings>;
const stored = () => settings.select(sql`1`);

export const retentionRoutes = new Router("Settings: Messaging", "/messaging-settings").settings({
  id: "MessagingSettings",
  words: "the settings of messaging",
  record: settings,
  patch,
  verbs: { get: (ctx: CallCtx) => readOne(ctx, stored()), update: updateSettings },
  description: "Fewer days than until now erase messages, and ask also for `messages:write`.",
});

/** Changes the settings; the next hourly job erases what is too old. */
function updateSettings(
  ctx: WriteCtx & OutsideCtx,
  _params: unknown,
  { content_days: contentDays, message_days: messageDays, optout_words: words }: z.output<typeof patch>,
): Promise<SettingsRow> {
  const optoutWords = words && JSON.stringify(words);
  const erasing = ["messages:write"];
  const contents = refuseShorter(ctx, messagingSettings.contentDays, contentDays, erasing);
  const whole = refuseShorter(ctx, messagingSettings.messageDays, messageDays, erasing);
  const change = ctx.db.update(messagingSettings).set({ contentDays, messageDays, optoutWords });
  return atomic(ctx, [...contents.guards, ...whole.guards, change], stored(), {
    ...contents.refusals,
    ...whole.refusals,
  });
}
