import type { SQL } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { SecretPlace } from "./encryption.ts";

/** A column that holds encrypted secrets: one in a row, or one in a member of its JSON. */
export type EncryptedColumn = {
  table: SQLiteTable;
  /** The primary key of the table. */
  id: SQLiteColumn;
  column: SQLiteColumn;
  path?: `$.${string}`;
  /** What ends the field that a row's secret is encrypted under. */
  key: SQLiteColumn | SQL;
  /** The slug of the company that a row's secret is encrypted for; in the control database only. */
  company?: SQLiteColumn | SQL;
};

/** A kind of secret: all that is encrypted is of one, so that the change of the master key finds it. */
export type SecretKind = {
  /** Begins the field that its secrets are encrypted under. */
  readonly field: string;
  readonly columns: readonly EncryptedColumn[];
};

/** Names a kind of secret and every column that holds some; it must stand in the list of its database too. */
export function secretKind(field: string, ...columns: readonly EncryptedColumn[]): SecretKind {
  return { field, columns };
}

/** Where a secret of this kind belongs. */
export function secretPlace({ field }: SecretKind, company: string, key: string): SecretPlace {
  return { company, field: `${field}${key}` };
}
