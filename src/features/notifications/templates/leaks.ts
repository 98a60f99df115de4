import { htmlToText } from "#shared/html/clean-html.ts";
import { LINK, withPlaces } from "../template.ts";

// Around the name of a variable, so that no other text looks like one.
const MARK = "\uE000";
const OWN_LINK = new RegExp(` href="\\s*${MARK}[a-z]+${LINK.source.replace("$", "")}${MARK}\\s*"`, "g");
const IN_TAG = new RegExp(`<[a-z][^<>]*?${MARK}([a-z.]+)${MARK}`);
// Mail programs make a link of what looks like an address, with or without its scheme.
const JOINED = new RegExp(
  `(?:https?://|www\\.|[a-z0-9-]\\.[a-z]{2,}[/?#])[^\\s${MARK}]*${MARK}([a-z.]+)${MARK}`,
  "i",
);
// A name may be an address too.
const JOINED_LINK = new RegExp(
  `${MARK}[a-z.]+${MARK}[^\\s${MARK}]*${MARK}([a-z]+${LINK.source.replace("$", "")})${MARK}`,
);

/** What a text would give to a stranger by an address, in words that go on after the field's name; null for nothing. */
export function leakOf(text: string): string | null {
  const marked = withPlaces(text, (name) => MARK + name + MARK);
  const name = (JOINED.exec(marked) ?? JOINED_LINK.exec(marked))?.[1];
  return name === undefined
    ? null
    : `has {{${name}}} joined to an address or a name, so that another site may get it: put a space before it`;
}

/** The same of cleaned HTML, whose attributes are written in one way. */
export function htmlLeakOf(cleaned: string): string | null {
  const marked = withPlaces(cleaned, (name) => MARK + name + MARK);
  const name = IN_TAG.exec(marked.replace(OWN_LINK, ""))?.[1];
  if (name === undefined) return leakOf(htmlToText(cleaned));
  return `has {{${name}}} inside a tag, where another site may get it: write it as text, or give a link one of {{booking.link}}, {{booking.calendar}} and {{invoice.link}} as its whole href`;
}
