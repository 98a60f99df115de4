import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { once } from "./json.ts";

/** The names of columns, as an INSERT ... SELECT of their table lists them; the text is made on first use. */
export function columnList<Name extends string>(
  table: Readonly<Record<Name, SQLiteColumn>>,
  names: readonly Name[],
): () => SQL {
  return once(() =>
    sql.join(
      names.map((name) => sql.identifier(table[name].name)),
      sql`, `,
    ),
  );
}
