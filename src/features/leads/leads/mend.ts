import * as z from "zod";
import { isPhone, phoneDigits } from "#shared/contact/phone.ts";
import { isBlank } from "#shared/fields/text.ts";
import { hasDigits, usablePhone } from "./usable-phone.ts";

/** What may have happened to a field of a lead. */
export const LEAD_WARNINGS = ["cut", "kept_in_metadata", "not_kept", "no_phone_number"] as const;
/** What was done to a field so that the lead is not lost; `value` is to be kept under `metadata`. */
export type Mend = { field: string; code: (typeof LEAD_WARNINGS)[number]; value?: unknown };
/** The member of a form that holds its mends. */
export const MENDED = "_mended";

type Fields = Record<string, z.core.$ZodType>;
type Read = { value?: unknown; code?: Mend["code"] };

// A part of one names another person or thing.
const UNCUT = new Set(["email", "phone", "source"]);
const BETWEEN_PHONES = /[/,;]|\bor\b/i;

/**
 * Reads a form that others wrote, whose 422 no person would see. An empty text counts as not sent, a number stands for its
 * digits, a long text is cut, and what a field does not take is left to `metadata`; but for the name, the file, and the
 * only way to reach the person.
 */
export function mendedBy(fields: Fields) {
  return (body: unknown): unknown => {
    if (typeof body !== "object" || body === null || Array.isArray(body)) return body;
    const sent = Object.entries(body).filter(([name, value]) => name !== MENDED && !isBlank(value));
    const { email, phone } = Object.fromEntries(sent);
    const needed = new Set(["name", "first_name", "last_name"]);
    if (!hasDigits(textOf(phone))) needed.add("email");
    if (!z.safeParse(fields.email ?? z.never(), email ?? 0).success) needed.add("phone");
    const mends: Mend[] = [];
    const form = sent.flatMap(([field, given]) => {
      const schema = fields[field];
      if (schema === undefined || field === "attachment") return [[field, given]];
      const { value, code } = field === "phone" ? phoneOf(given) : { value: given };
      const read = { code, ...readBy(schema, field, value, needed) };
      if (read.code !== undefined) mends.push({ field, code: read.code, value: given });
      return "value" in read ? [[field, read.value]] : [];
    });
    return { ...Object.fromEntries(form), [MENDED]: mends };
  };
}

function readBy(schema: z.core.$ZodType, field: string, sent: unknown, needed: ReadonlySet<string>): Read {
  const { error } = z.safeParse(schema, sent);
  if (error === undefined) return { value: sent };
  const text = textOf(sent);
  if (text !== sent && text !== "" && z.safeParse(schema, text).success) return { value: text };
  const long = error.issues.find((issue) => issue.code === "too_big" && issue.origin === "string");
  if (long?.code === "too_big" && !UNCUT.has(field)) {
    const cut = text
      .trim()
      .slice(0, Number(long.maximum))
      .replace(/[\ud800-\udbff]$/, "");
    if (z.safeParse(schema, cut).success) return { value: cut, code: "cut" };
  }
  return needed.has(field) ? { value: sent } : { code: "kept_in_metadata" };
}

/** The first of several numbers in one text; the number without its extension; a text that is none as it is, or left out. */
function phoneOf(sent: unknown): Read {
  const text = textOf(sent);
  const [first = "", ...others] = text.split(BETWEEN_PHONES).map((part) => part.trim());
  const areSeveral = others.length > 0 && [first, ...others].every(isPhone);
  if (areSeveral) return { value: first, code: "kept_in_metadata" };
  if (text === "") return { value: sent };
  if (!hasDigits(text)) return { value: undefined, code: "kept_in_metadata" };
  const number = usablePhone(text);
  if (number === null) return { value: text, code: "no_phone_number" };
  return phoneDigits(number) === phoneDigits(text)
    ? { value: sent }
    : { value: number, code: "kept_in_metadata" };
}

function textOf(value: unknown): string {
  return typeof value === "object" ? "" : String(value);
}
