const MARKS = /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;

/** A text without invisible marks that mean nothing in it; joiners, which may shape a letter, stay. */
export function withoutMarks(text: string): string {
  return text.replace(MARKS, "");
}
