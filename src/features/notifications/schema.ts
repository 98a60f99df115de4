import * as z from "zod";

/** A time as an answer has it. */
export const timestamp = z.string().meta({ format: "date-time" });
export const CHANNELS = ["email", "sms", "chatapp"] as const;
export const language = z.enum(["en", "hi"]);
