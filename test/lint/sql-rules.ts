import { aggregatesThatOrder, havingWithoutGroup, inSql, matches, tablesNotStrict } from "./finders.ts";
import type { Rule } from "./rules.ts";
import { columnsAfterAliases, foreignTables } from "./table-owners.ts";

const sql = /^(?:src|durable|migrations)\//;

// What sqld's own parser refuses before SQLite sees it, and what holds of every statement and table.
export const sqlRules: Rule[] = [
  {
    // create-company.ts writes a database's first rows before it serves anyone: the company's profile and its year.
    // The invariants judge all tables at once, and say again in SQL what the features say in code; a backup reads them all,
    // and the backlog what waits in any. replaced.ts begins every batch of a company, and changes no row.
    name: "SQL text writes only tables of its own feature, and names another's only by the table imported",
    where: /^src\//,
    except:
      /^src\/(?:sandbox|build|integrity|cli\/backup)\/|^src\/core\/database\/replaced\.ts$|^src\/tenancy\/(?:companies\/create-company\.ts$|backlog\/)/,
    find: foreignTables,
    at: "src/features/a/x.ts",
    broken: [
      'import { rows } from "#tables/b";\nsql`INSERT INTO ${rows} (id) VALUES (1)`;',
      'import { lines, rows as theirs } from "#tables/b";\nsql`UPDATE OR IGNORE ${theirs} SET id = 1`;',
      ["src/features/leads/leads/x.ts", "sql`DELETE FROM invoices WHERE id = 1`;"],
      ["src/features/leads/leads/x.ts", "sql`SELECT id FROM leads JOIN invoices ON invoices.id = leads.id`;"],
      ["src/features/leads/leads/x.ts", 'const text = "INSERT OR REPLACE INTO journal_lines SELECT 1";'],
      [
        "src/tenancy/x.ts",
        'import { operations } from "#tables/core";\nsql`WITH a AS (SELECT 1) UPDATE ${operations} SET id = 1`;',
      ],
    ],
    sound: [
      [
        "src/features/invoices/tax/x.ts",
        "sql`UPDATE invoices SET id = 1 WHERE id IN (SELECT invoice_id FROM invoice_items)`;",
      ],
      'import { rows } from "#tables/a";\nimport { lines } from "#tables/b";\nsql`INSERT INTO ${rows} SELECT id FROM ${lines} ON CONFLICT DO UPDATE SET id = 1`;',
      ["src/core/x.ts", 'import { operations } from "#tables/core";\nsql`DELETE FROM ${operations}`;'],
    ],
  },
  {
    name: "SQL text names a column by its table or by drizzle's alias() of it: the compiler sees no other name",
    where: /^src\//,
    except: /^src\/(?:sandbox\/|integrity\/invariants\/)/,
    find: columnsAfterAliases,
    at: "src/features/a/x.ts",
    broken: [
      'import { rows } from "#tables/b";\nsql`SELECT mine.id FROM ${rows} mine`;',
      'import { rows } from "#tables/a";\nsql`SELECT 1 FROM a JOIN ${rows} AS mine`;',
      ["src/features/payments/x.ts", "reverseEntries(ctx, sql`original.source_type = 'payment'`);"],
    ],
    sound: [
      'import { rows } from "#tables/b";\nconst mine = alias(rows, "mine");\nsql`SELECT ${mine.id} FROM ${rows} AS ${mine} WHERE 1`;',
      "sql`SELECT original.a_b FROM (${asked}) original`;\nreturn original.source_type;",
    ],
  },
  {
    name: "sqld takes no ORDER BY inside an aggregate: the rows come ordered, from a subquery",
    where: sql,
    find: aggregatesThatOrder,
    broken: [
      "sql`SELECT json_group_array(id ORDER BY id) FROM invoices`",
      "sql`SELECT json_group_array(${jsonObject(shape)}\n  ORDER BY ${items.position}) FROM items`",
      ["migrations/company/01_a.sql", "SELECT group_concat(name, ', ' ORDER BY name) FROM a;"],
    ],
    sound: [
      "sql`SELECT json_group_array(id) FROM (SELECT id FROM invoices ORDER BY id)`",
      "sql`SELECT json_group_array((SELECT b FROM c ORDER BY b LIMIT 1)) FROM a ORDER BY 1`",
      "sql`SELECT sum(points) OVER (ORDER BY id), lag(a) OVER item FROM b`",
    ],
  },
  {
    name: "sqld takes no HAVING without a GROUP BY: of all rows, it is GROUP BY NULL",
    where: sql,
    find: havingWithoutGroup,
    broken: [
      "sql`SELECT sum(debit) FROM lines HAVING sum(debit) <> 0`",
      "sql`SELECT a, (SELECT min(b) FROM c\n  HAVING count(*) > 1) FROM d GROUP BY a`",
      "sql`SELECT 1 FROM (SELECT a FROM b GROUP BY a) HAVING count(*) > 1`",
    ],
    sound: [
      "sql`SELECT sum(debit) FROM lines GROUP BY NULL HAVING sum(debit) <> 0`",
      "sql`SELECT a FROM b GROUP BY a, (SELECT c) HAVING count(*) > ${most(1)}`",
      "`SELECT a FROM b WHERE c = 'd' GROUP BY a HAVING count(*) > 1`",
    ],
  },
  {
    name: "sqld takes no digit separators in SQL",
    where: sql,
    find: inSql(/(?<!\w)\d+_\d/g),
    broken: [
      ["migrations/company/01_a.sql", "CONSTRAINT a CHECK (price < 1_000)"],
      "sql`SELECT id FROM a WHERE at < ${now} - 60_000`",
    ],
    sound: [
      "const MINUTE_MS = 60_000;\nsql`SELECT id FROM a WHERE at < ${now - 60_000}`",
      ["migrations/company/01_a.sql", "CREATE TABLE a_2 (b_1000 TEXT) STRICT;"],
    ],
  },
  {
    name: "sqld takes no VACUUM, ANALYZE, PRAGMA optimize, ATTACH or temporary table",
    where: sql,
    find: inSql(/\b(?:VACUUM|ANALYZE|ATTACH|PRAGMA\s+optimize|CREATE\s+TEMP(?:ORARY)?)\b/g),
    broken: [["migrations/company/01_a.sql", "ANALYZE;"], "sql`CREATE TEMP TABLE a (b TEXT)`; // SELECT"],
    sound: ["sql`SELECT id FROM a` // never VACUUM"],
  },
  {
    name: "no statement ends a transaction that holds the batches of others, or leaves a check to its COMMIT",
    where: sql,
    find: inSql(/\b(?:DEFERRABLE|RAISE\s*\(\s*(?:ROLLBACK|FAIL)\b|OR\s+ROLLBACK\b)/gi),
    broken: [
      ["migrations/company/01_a.sql", "a INTEGER REFERENCES b (id) DEFERRABLE INITIALLY DEFERRED"],
      [
        "migrations/company/01_a.sql",
        "CREATE TRIGGER a BEFORE INSERT ON b BEGIN SELECT RAISE(ROLLBACK, 'c'); END;",
      ],
      ["migrations/company/01_a.sql", "SELECT RAISE ( FAIL, 'c')"],
      "sql`INSERT OR ROLLBACK INTO a (id) VALUES (1)`",
    ],
    sound: [
      [
        "migrations/company/01_a.sql",
        "CREATE TRIGGER a BEFORE INSERT ON b BEGIN SELECT RAISE(ABORT, 'fail'); END;",
      ],
      "sql`INSERT OR IGNORE INTO a (id) VALUES (1)`; sql`ROLLBACK TO a`",
    ],
  },
  {
    // What judges an instance compares the clocks.
    name: "SQL never asks for the time or for the last row's id",
    where: sql,
    except: /^src\/integrity\/readiness\/judge\.ts$/,
    find: matches(
      /\b(?:unixepoch|last_insert_rowid)\s*\(|\b(?:date|time|datetime|julianday|strftime)\s*\([^()]*["']now["']|\bCURRENT_(?:DATE|TIME|TIMESTAMP)\b/g,
    ),
    broken: [
      ["migrations/company/01_a.sql", "created_at INTEGER DEFAULT (unixepoch())"],
      ["migrations/company/01_a.sql", "created_at TEXT DEFAULT CURRENT_TIMESTAMP"],
      "sql`SELECT datetime('now', '+1 day'), strftime('%s', 'now')`",
      "sql`SELECT last_insert_rowid()`",
    ],
    sound: ["sql`SELECT date(starts_on, '+1 day') FROM bookings` -- not unixepoch()"],
  },
  {
    name: "every table is STRICT",
    where: /^migrations\/.*\.sql$/,
    find: tablesNotStrict,
    at: "migrations/company/01_a.sql",
    broken: [
      "CREATE TABLE a (id INTEGER PRIMARY KEY);\nCREATE TABLE b (id INTEGER) STRICT;",
      "CREATE TABLE IF NOT EXISTS a (b TEXT DEFAULT ') STRICT;');",
      "CREATE TABLE a AS SELECT 1;",
    ],
    sound: [
      "CREATE TABLE a (\n  b TEXT CHECK (length(b) < 5) -- it's short (\n) STRICT;",
      "CREATE TABLE a (b TEXT PRIMARY KEY) WITHOUT ROWID, STRICT;",
      "CREATE VIRTUAL TABLE a USING fts5(b);",
    ],
  },
  {
    name: "every CHECK is named: its name is the error code",
    where: /^migrations\/.*\.sql$/,
    find: matches(/(?<!\bCONSTRAINT\s+["\w]+\s+)\bCHECK\s*\(/g),
    broken: [["migrations/company/01_a.sql", "total INTEGER NOT NULL CHECK (total >= 0),"]],
    sound: [["migrations/company/01_a.sql", "CONSTRAINT total_negative\n  CHECK (total >= 0)"]],
  },
  {
    name: "a feature's file of the schema is named NN_name.sql, and an alteration of it NNNN_NN_name.sql",
    where:
      /^migrations\/\w+\/(?!\d{2}_[a-z0-9_]+\.sql$|alterations\/\d{4}_\d{2}_[a-z0-9_]+(?:\.before)?\.sql$)/,
    find: () => [0],
    broken: [
      ["migrations/company/1_a.sql", ""],
      ["migrations/control/01-a.sql", ""],
      ["migrations/control/alterations/0001_a.sql", ""],
    ],
    sound: [
      ["migrations/company/01_core.sql", ""],
      ["migrations/company/alterations/0001_01_core.sql", ""],
      ["migrations/company/alterations/0001_01_core.before.sql", ""],
    ],
  },
];
