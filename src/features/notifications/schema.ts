import * as z from "zod";

export const CHANNELS = ["email", "sms", "chatapp"] as const;
export const language = z.enum(["en", "hi"]);
