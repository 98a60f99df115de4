import type { Client, InStatement } from "@libsql/client";

// What one batch makes, so that the server has its turn between them.
const STEP = 20_000;

/** How the rows of a copy differ from the pattern's: SQL by column, where `i` numbers the copies and `t` is the pattern's row. */
type Changes = Readonly<Record<string, string>>;
/** The rows of a table that are copied, by a condition on `t`, and what becomes of them. */
export type Pattern = { table: string; where: string; changes: Changes };

/** Copies the rows of the patterns `count` times, i from 1 on, all patterns of one range of `i` in one batch. */
export async function copyRows(database: Client, patterns: readonly Pattern[], count: number): Promise<void> {
  const statements: string[] = [];
  for (const pattern of patterns) statements.push(await copyOf(database, pattern));
  for (let from = 1; from <= count; from += STEP) {
    const args = [BigInt(from), BigInt(Math.min(count, from + STEP - 1))];
    await database.batch(
      statements.map((sql): InStatement => ({ sql, args })),
      "write",
    );
  }
}

/** Does the work without the triggers of these tables, which it puts back; what they keep is the work's to keep. */
export async function withoutTriggers(
  database: Client,
  tables: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  const { rows } = await database.execute({
    sql: `SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name IN (SELECT value FROM json_each(?))
      ORDER BY rowid`,
    args: [JSON.stringify(tables)],
  });
  await database.batch(
    rows.map(({ name }) => `DROP TRIGGER ${name}`),
    "write",
  );
  await work();
  await database.batch(
    rows.map(({ sql }) => String(sql)),
    "write",
  );
}

async function copyOf(database: Client, { table, where, changes }: Pattern): Promise<string> {
  const { rows } = await database.execute(`SELECT name FROM pragma_table_info('${table}')`);
  const columns = rows.map(({ name }) => String(name));
  const unknown = Object.keys(changes).filter((name) => !columns.includes(name));
  if (unknown.length > 0) throw new Error(`${table} has no ${unknown.join(", ")}`);
  const values = columns.map((name) => changes[name] ?? `t.${name}`);
  return `INSERT INTO ${table} (${columns.join(", ")})
    WITH RECURSIVE n (i) AS (SELECT ?1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
    SELECT ${values.join(", ")} FROM n CROSS JOIN ${table} t WHERE ${where}`;
}
