import { type Column, type SQL, sql } from "drizzle-orm";
import { withAsciiHost } from "#shared/contact/email-address.ts";

const SHORTEST = 3;

/** Whether a text is long enough for a trigram index; a shorter one is looked for by `containsText`. */
export function isIndexed(text: string): boolean {
  return [...text].length >= SHORTEST;
}

// Joiners may follow the sign that takes the vowel from a letter, in the scripts of India.
const VIRAMA = /[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d](?=.)/g;
const APOSTROPHES = /[\u2018\u2019\u02bc]/g;

/**
 * A text as it may be stored: keyboards differ in how they compose letters (UAX #15), in apostrophes and in the width of
 * letters, and add invisible joiners and blanks. An address of mail is stored with its host in ASCII.
 */
function spellingsOf(text: string): string[] {
  const composed = text.normalize("NFC");
  const plain = withAsciiHost(text)
    .normalize("NFKC")
    .replace(/\p{Cf}/gu, "")
    .replace(APOSTROPHES, "'")
    .replace(/\s+/g, " ");
  return [
    ...new Set([
      composed,
      plain,
      plain.normalize("NFD"),
      plain.replaceAll("'", "\u2019"),
      plain.replaceAll(" ", "  "),
      plain.replaceAll(" ", "\u00a0"),
      plain.replace(VIRAMA, "$&\u200d"),
      plain.replace(VIRAMA, "$&\u200c"),
      plain.replace(/[A-Za-z]/g, inFullWidth),
      plain.replace(/[!-~]/g, inFullWidth).replaceAll(" ", "\u3000"),
    ]),
  ];
}

function inFullWidth(character: string): string {
  return String.fromCharCode(character.charCodeAt(0) + 0xfee0);
}

/** What finds a text in a trigram index, in whichever spelling it is stored. */
export function matchOf(text: string): string {
  return `(${spellingsOf(text).map(phraseOf).join(" OR ")})`;
}

/** The text as one phrase of a trigram index, whatever characters it has. */
export function phraseOf(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

/** Whether one of the columns contains the text in some spelling: walks the rows in the order of a list, which stops when its page is full. */
export function containsText(text: string, columns: readonly (Column | SQL)[]): SQL {
  const patterns = spellingsOf(text).map((one) => `%${one.replace(/[\\%_]/g, "\\$&")}%`);
  const matches = columns.flatMap((column) =>
    patterns.map((pattern) => sql`${column} LIKE ${pattern} ESCAPE '\\'`),
  );
  return sql`(${sql.join(matches, sql` OR `)})`;
}
