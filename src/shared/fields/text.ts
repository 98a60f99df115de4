import * as z from "zod";
import { isIncomplete, plainPhone } from "#shared/contact/phone.ts";
import { withoutHidden, withoutMarks } from "#shared/text/without-marks.ts";

// Control characters, lone surrogates, the Unicode line and paragraph separators, and in a line what turns the order of the
// letters after it: with that a name on an invoice reads as another one.
const UNFIT_FOR_A_LINE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;
const UNFIT_FOR_A_PARAGRAPH = /(?![\n\t])[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;
const UNFIT_AS_SENT = /(?![\n\r\t])[\p{Cc}\p{Cs}]/u;

// What Word, Pages and PDF programs have for the ends of lines and pages; a person sees a line end.
const PASTED_BREAK = /[\v\f\u0085\u2028\u2029]/g;
// On a tax invoice they make a text read as another one.
const OVERRIDES = /[\u202d\u202e]/g;
// Marks without a place of their own in a line, and around it what address books and chats put there.
const UNSEEN_MARKS = /[\u00ad\u200b\u2060\ufeff]/g;
const AROUND_A_LINE =
  /^[ \u061c\u200e\u200f\u202a-\u202c\u2066-\u2069]+|[ \u061c\u200e\u200f\u202a-\u202c\u2066-\u2069]+$/g;

function without(unfit: RegExp) {
  return z.refine<string>((text) => !unfit.test(text), {
    params: { code: "invalid_characters" },
    error: "must not contain control characters or broken Unicode",
  });
}

// What is blank though Unicode counts it among signs: a Braille cell, the place of an object, a note without a head.
const SEEN = /(?![\u2800\ufffc\u{1d159}\p{Default_Ignorable_Code_Point}])[\p{L}\p{N}\p{P}\p{S}]/u;
const UNSEEN = { params: { code: "too_small" }, error: "must not be empty" };

/** Whether at least one character of a text can be seen. */
export function isSeen(text: string | null | undefined): boolean {
  return SEEN.test(text ?? "");
}

/** Whether a value is a text of which nothing can be seen, as forms and sheets have it for what was left empty. */
export function isBlank(value: unknown): boolean {
  return typeof value === "string" && !isSeen(value);
}

type Length = { min?: number; max: number };

const lineOf = (text: z.ZodString, { min = 0, max }: Length) =>
  text
    .trim()
    .min(min, min === 1 ? "must not be empty" : `must have at least ${min} characters`)
    .max(max, `must have at most ${max} characters`)
    .check(without(UNFIT_FOR_A_LINE));

/** What a person sees of one line: each run of blanks, tabs and line ends is one blank. A line that shows nothing is empty. */
function tidied(text: string): string {
  const line = withoutHidden(text)
    .replace(UNSEEN_MARKS, "")
    .replace(/\u0085|[^\S\u3000]+/g, " ")
    .replace(AROUND_A_LINE, "");
  return isSeen(line) || UNFIT_FOR_A_LINE.test(line) ? line : "";
}

const tidyLine = (mend: (text: string) => string, length: Length) =>
  lineOf(
    z.string().overwrite((text) => tidied(mend(text))),
    length,
  );

/** One line of text, tidied; `min` and `max` count UTF-16 code units after that. With `min` something of it shows. */
export const cleanText = (length: Length) => tidyLine((text) => text, length);

/** A secret in one line, trimmed: it is what it is, so nothing inside is mended. */
export const secretText = (length: Length) => lineOf(z.string(), length);

/** What is looked for: a line without the direction marks that are copied along with a name or a number. */
export const searchText = tidyLine(withoutMarks, { min: 1, max: 100 });

/** A phone number in a line, whatever it is: its digits in ASCII, without invisible marks. */
export const writtenPhone = (length: Length) => tidyLine(plainPhone, length);

/** A postal code: its digits in ASCII, the six of a PIN together, as in 560 001. */
export const postalCode = (length: Length) =>
  tidyLine((text) => plainPhone(text).replace(/^\s*(\d{3})[ -](\d{3})\s*$/, "$1$2"), length);

/** As `writtenPhone`, but none whose digits are lost: it would join strangers. */
export const phoneText = (length: Length) =>
  writtenPhone(length).refine((text) => !isIncomplete(text), {
    params: { code: "invalid_phone" },
    error: "must be a phone number with all its digits",
  });

/** Text of several lines, trimmed, its line ends of any kind turned into `\n`; `max` counts UTF-16 code units after that. */
export const cleanMultilineText = ({ max }: { max: number }) =>
  z
    .string()
    .overwrite((text) =>
      withoutHidden(text).replace(/\r\n?/g, "\n").replace(PASTED_BREAK, "\n").replace(OVERRIDES, "").trim(),
    )
    .max(max, `must have at most ${max} characters`)
    .check(without(UNFIT_FOR_A_PARAGRAPH));

/** Text of several lines, kept as it was sent but for hidden words, with at least one character that shows. */
export const textAsSent = ({ max }: { max: number }) => asSent((text) => text, max);

/** The same, of what people paste: a break of another program becomes a line end. */
export const pastedText = ({ max }: { max: number }) =>
  asSent((text) => text.replace(PASTED_BREAK, "\n"), max);

const asSent = (mend: (text: string) => string, max: number) =>
  z
    .string()
    .overwrite((text) => withoutHidden(mend(text)))
    .refine(isSeen, UNSEEN)
    .max(max, `must have at most ${max} characters`)
    .check(without(UNFIT_AS_SENT));
