import { getTableColumns, type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { columnNames } from "#core/sql/columns.ts";
import { jsonObject } from "#core/sql/json.ts";
import { apiKeys, companies } from "#tables/tenancy";
import { companyCopy, keyCopies } from "#tables/tenancy/own-database";
import type { CompanyCopy, KeyCopy } from "./schema.ts";

export const KEY_COLUMNS = columnNames(keyCopies);
const COMPANY_COLUMNS = columnNames(companyCopy).filter((name) => name !== "id");
/** No instant of a write: it undoes nothing. */
const NEVER = -1;

/** A company's row of the control database as its copy holds it: JSON. */
export const companyRow: SQL = shapeOf(companies, COMPANY_COLUMNS, { company_id: sql`${companies.id}` });
/** A key's row of the control database as its copy holds it: JSON. */
export const keyRow: SQL = shapeOf(apiKeys, KEY_COLUMNS);
/** The same of the copies themselves. */
export const copiedCompanyRow: SQL = shapeOf(companyCopy, COMPANY_COLUMNS);
export const copiedKeyRow: SQL = shapeOf(keyCopies, KEY_COLUMNS);

/** Writes a company's copy, unless the one that is there is later and of the same company. */
export function putCompany(row: CompanyCopy, undone = NEVER): SQL {
  const own = sql.raw(
    "company_copy.slug IS NOT excluded.slug OR company_copy.company_id IS NOT excluded.company_id",
  );
  const columns = raw(COMPANY_COLUMNS);
  return sql`INSERT INTO ${companyCopy} (id, ${columns})
    SELECT 1, ${valuesOf(COMPANY_COLUMNS)} FROM json_each(${JSON.stringify([row])}) WHERE TRUE
    ON CONFLICT (id) DO UPDATE SET ${assigned(COMPANY_COLUMNS)}
    WHERE (${own} OR company_copy.updated_at <= excluded.updated_at OR company_copy.updated_at = ${undone})
      AND ${differing("company_copy", COMPANY_COLUMNS)}`;
}

/**
 * Writes copies of keys, each unless the one that is there is later. What is revoked stays so, but for copies that were
 * written at `undone`, in ms: those become what the control database says.
 */
export function putKeys(rows: readonly KeyCopy[], undone = NEVER): SQL[] {
  const json = JSON.stringify(rows);
  const others = KEY_COLUMNS.filter((name) => name !== "client_id" && name !== "revoked_at");
  const revoked = sql`CASE WHEN key_copies.updated_at = ${undone} THEN excluded.revoked_at
    ELSE coalesce(key_copies.revoked_at, excluded.revoked_at) END`;
  return [
    sql`INSERT INTO ${keyCopies} (${raw(KEY_COLUMNS)})
      SELECT ${valuesOf(KEY_COLUMNS)} FROM json_each(${json}) WHERE TRUE
      ON CONFLICT (client_id) DO UPDATE SET ${assigned(others)}, revoked_at = ${revoked}
      WHERE (key_copies.updated_at <= excluded.updated_at OR key_copies.updated_at = ${undone})
        AND ${differing("key_copies", KEY_COLUMNS)}`,
    // A revocation counts, whichever of the two is later.
    sql`UPDATE ${keyCopies} SET revoked_at = (SELECT value ->> '$.revoked_at' FROM json_each(${json})
        WHERE value ->> '$.client_id' = key_copies.client_id)
      WHERE revoked_at IS NULL AND client_id IN (
        SELECT value ->> '$.client_id' FROM json_each(${json}) WHERE value ->> '$.revoked_at' IS NOT NULL)`,
  ];
}

function shapeOf(table: SQLiteTable, names: readonly string[], others: Record<string, SQL> = {}): SQL {
  const columns = Object.values(getTableColumns(table));
  const shape = names.map((name): [string, SQL] => {
    const column = columns.find((one) => one.name === name);
    return [name, others[name] ?? sql`${column}`];
  });
  return jsonObject(Object.fromEntries(shape));
}

function raw(names: readonly string[]): SQL {
  return sql.raw(names.join(", "));
}

function valuesOf(names: readonly string[]): SQL {
  return sql.raw(names.map((name) => `value ->> '$.${name}'`).join(", "));
}

function assigned(names: readonly string[]): SQL {
  return sql.raw(names.map((name) => `${name} = excluded.${name}`).join(", "));
}

function differing(table: string, names: readonly string[]): SQL {
  const of = (source: string) => names.map((name) => `${source}.${name}`).join(", ");
  return sql.raw(`(${of(table)}) IS NOT (${of("excluded")})`);
}
