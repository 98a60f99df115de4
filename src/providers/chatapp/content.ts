import * as z from "zod";
import type { Addressed } from "../provider-kind.ts";

/** What a chat-app message says, as it is stored until it is sent. */
export const ChatappContent = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("template"),
    template: z.object({ name: z.string(), language: z.string(), variables: z.array(z.string()) }),
  }),
  z.object({ type: z.literal("text"), text: z.object({ body: z.string() }) }),
]);
/** One chat-app message to one number. */
export type ChatappMessage = Addressed & { content: z.output<typeof ChatappContent> };
