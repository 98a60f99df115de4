import * as z from "zod";
import { patchOf } from "#shared/fields/patch.ts";
import { isOptIn, MOST_WORD_CHARACTERS, plainWord } from "../contacts/words.ts";

const MOST_WORDS = 20;

const days = (description: string) => z.int().min(1).max(3_650).meta({ description });

const optoutWord = z
  .string()
  .max(MOST_WORD_CHARACTERS, `must have at most ${MOST_WORD_CHARACTERS} characters`)
  .transform(plainWord)
  .refine((word) => word !== "", { params: { code: "too_small" }, error: "must not be empty" })
  .refine((word) => !isOptIn(word), { params: { code: "invalid_value" }, error: "is a word that opts in" });

const fields = z.object({
  content_days: days("Texts and HTML are erased so many days after they were accepted."),
  message_days: days("Messages are forgotten, with what became of them, after so many days."),
  optout_words: z
    .array(optoutWord)
    .max(MOST_WORDS, `must have at most ${MOST_WORDS} words`)
    .transform((words) => [...new Set(words)])
    .meta({
      description:
        "Words that opt a person out if they are the whole message, in addition to STOP and the country's words.",
    }),
});

export const MessagingSettings = fields.extend({ optout_words: z.array(z.string()) });
export const MessagingSettingsPatch = patchOf(fields);
export type MessagingSettingsPatch = z.infer<typeof MessagingSettingsPatch>;
