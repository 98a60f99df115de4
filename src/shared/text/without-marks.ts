const MARKS = /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;
// Tags and variation selectors can spell words that programs read and no person sees. The only flags that are made of tags
// are those of England, Scotland and Wales (https://unicode.org/reports/tr51/#flag-emoji-tag-sequences).
const TAG_FLAG =
  "\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}";
const HIDDEN = new RegExp(`(${TAG_FLAG})|[\u{e0000}-\u{e0fff}\ufe00-\ufe0d]`, "gu");

/** A text without invisible marks that mean nothing in it; joiners, which may shape a letter, stay. */
export function withoutMarks(text: string): string {
  return text.replace(MARKS, "");
}

/** A text without words that are hidden in it, as against a person who reads it with the help of a program. */
export function withoutHidden(text: string): string {
  return text.replace(HIDDEN, "$1");
}
