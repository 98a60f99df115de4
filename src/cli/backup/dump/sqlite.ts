import type { DatabaseSync } from "node:sqlite";
import type { Reader, Row } from "./values.ts";

/** Reads a SQLite database of this process. */
export function readerOf(database: DatabaseSync): Reader {
  return {
    async all(sql, values = []) {
      const statement = database.prepare(sql);
      statement.setReadBigInts(true);
      statement.setReturnArrays(true);
      return statement.all(...values) as unknown as Row[];
    },
  };
}
