import { type Column, type SQL, sql } from "drizzle-orm";

const SHORTEST = 3;

/** Whether a text is long enough for a trigram index; a shorter one is looked for by `containsText`. */
export function isIndexed(text: string): boolean {
  return [...text].length >= SHORTEST;
}

/** The text as one phrase of a trigram index, whatever characters it has. */
export function phraseOf(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

/** Whether one of the columns contains the text: walks the rows in the order of a list, which stops when its page is full. */
export function containsText(text: string, columns: readonly (Column | SQL)[]): SQL {
  const pattern = `%${text.replace(/[\\%_]/g, "\\$&")}%`;
  const matches = columns.map((column) => sql`${column} LIKE ${pattern} ESCAPE '\\'`);
  return sql`(${sql.join(matches, sql` OR `)})`;
}
