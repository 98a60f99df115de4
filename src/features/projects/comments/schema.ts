import * as z from "zod";
import { refusedMember } from "#shared/fields/refused-member.ts";
import { cleanText, textAsSent } from "#shared/fields/text.ts";

export const CommentCreate = z.object({
  body: textAsSent({ max: 10_000 }).meta({ description: "Plain text, stored as sent." }),
  author: cleanText({ min: 1, max: 120 }).optional().meta({ description: "Default: the name of the key." }),
  is_internal: refusedMember("not_accepted", "is not accepted: a comment of the API is seen by all"),
});
export const Comment = z
  .object({
    id: z.int(),
    body: z.string(),
    author: z.string(),
    created_at: z.string(),
  })
  .meta({ id: "Comment" });

export type CommentCreate = z.infer<typeof CommentCreate>;
