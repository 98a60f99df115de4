import * as z from "zod";

// Control characters, lone surrogates, the Unicode line and paragraph separators, and in a line what turns the order of the
// letters after it: with that a name on an invoice reads as another one.
const UNFIT_FOR_A_LINE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;
const UNFIT_FOR_A_PARAGRAPH = /(?![\n\t])[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;
const UNFIT_AS_SENT = /(?![\n\r\t])[\p{Cc}\p{Cs}]/u;

function without(unfit: RegExp) {
  return z.refine<string>((text) => !unfit.test(text), {
    params: { code: "invalid_characters" },
    error: "must not contain control characters or broken Unicode",
  });
}

/** Whether at least one character of a text can be seen. */
export function isSeen(text: string | null | undefined): boolean {
  return /[^\s\p{Cf}\p{Default_Ignorable_Code_Point}]/u.test(text ?? "");
}

/** One line of text, trimmed; `min` and `max` count UTF-16 code units after the trim. */
export const cleanText = ({ min = 0, max }: { min?: number; max: number }) =>
  z
    .string()
    .trim()
    .min(min, min === 1 ? "must not be empty" : `must have at least ${min} characters`)
    .max(max, `must have at most ${max} characters`)
    .check(without(UNFIT_FOR_A_LINE));

/** Text of several lines, trimmed, its line ends turned into `\n`; `max` counts UTF-16 code units after that. */
export const cleanMultilineText = ({ max }: { max: number }) =>
  z
    .string()
    .overwrite((text) => text.replaceAll("\r\n", "\n").trim())
    .max(max, `must have at most ${max} characters`)
    .check(without(UNFIT_FOR_A_PARAGRAPH));

/** Text of several lines, kept exactly as it was sent, with at least one character that shows. */
export const textAsSent = ({ max }: { max: number }) =>
  z
    .string()
    .refine((text) => /\S/.test(text), { params: { code: "too_small" }, error: "must not be empty" })
    .max(max, `must have at most ${max} characters`)
    .check(without(UNFIT_AS_SENT));
