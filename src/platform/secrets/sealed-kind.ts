import type { SQL } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { SealPlace } from "./seal.ts";

/** A column that holds sealed secrets: one in a row, or one in a member of its JSON. */
export type SealedColumn = {
  table: SQLiteTable;
  /** The primary key of the table. */
  id: SQLiteColumn;
  column: SQLiteColumn;
  path?: `$.${string}`;
  /** What ends the field that a row's secret is sealed under. */
  key: SQLiteColumn | SQL;
  /** The slug of the company that a row's secret is sealed for; in the control database only. */
  company?: SQLiteColumn | SQL;
};

/** A kind of secret: all that is sealed is of one, so that the change of the master key finds it. */
export type SealedKind = {
  /** Begins the field that its secrets are sealed under. */
  readonly field: string;
  readonly columns: readonly SealedColumn[];
};

/** Names a kind of secret and every column that holds some; it must stand in the list of its database too. */
export function sealedKind(field: string, ...columns: readonly SealedColumn[]): SealedKind {
  return { field, columns };
}

/** Where a secret of this kind belongs. */
export function sealPlace({ field }: SealedKind, company: string, key: string): SealPlace {
  return { company, field: `${field}${key}` };
}
