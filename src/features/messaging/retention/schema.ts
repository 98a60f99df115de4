import * as z from "zod";
import { patchOf } from "#shared/fields/patch.ts";

const days = (description: string) => z.int().min(1).max(3_650).meta({ description });

const fields = z.object({
  content_days: days("Texts and HTML are erased so many days after they were accepted."),
  message_days: days("Messages are forgotten, with what became of them, after so many days."),
});

export const MessagingSettings = fields;
export const MessagingSettingsPatch = patchOf(fields);
export type MessagingSettingsPatch = z.infer<typeof MessagingSettingsPatch>;
