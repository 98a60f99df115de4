import { type Column, type SQL, sql } from "drizzle-orm";

/** The text itself, or where a row has it in this column the first that is free of the text with 2, 3, ... after it. */
export function firstFree(column: Column, text: string, joint = ""): SQL<string> {
  return sql`(WITH RECURSIVE candidate (text, next) AS (
      SELECT ${text}, 2
      UNION ALL SELECT ${text + joint} || next, next + 1 FROM candidate
    ) SELECT text FROM candidate WHERE NOT EXISTS (
      SELECT 1 FROM ${column.table} WHERE ${column} = candidate.text
    ) LIMIT 1)`;
}
