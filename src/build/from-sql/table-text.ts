import type { DatabaseSync } from "node:sqlite";
import { NAMES, TYPES } from "./unsaid.ts";

type Column = {
  name: string;
  type: "INTEGER" | "REAL" | "TEXT";
  notnull: 0 | 1;
  dflt_value: string | null;
  pk: number;
  hidden: number;
};

// So that a bundle leaves out a table that nothing uses.
const PURE = "/* @__PURE__ */";

/** The declaration of a table of drizzle. */
export function tableText(database: DatabaseSync, table: string): string {
  const columns = database.prepare(`PRAGMA table_xinfo("${table}")`).all() as Column[];
  const { sql } = database.prepare("SELECT sql FROM sqlite_schema WHERE name = ?").get(table) as {
    sql: string;
  };
  const text = sql.replaceAll(/--.*/g, "");
  const keys = columns.filter(({ pk }) => pk > 0).sort((one, other) => one.pk - other.pk);
  const lines = columns.map((column) => {
    const isKey = keys.length === 1 && column.pk === 1;
    return `  ${keyOf(table, column.name)}: ${PURE} ${columnText(table, column, text, isKey)},\n`;
  });
  const joint = keys.map(({ name }) => `table.${keyOf(table, name)}`).join(", ");
  const more = keys.length > 1 ? `, (table) => [primaryKey({ columns: [${joint}] })]` : "";
  const name = NAMES[table] ?? camelCase(table);
  return `export const ${name} = ${PURE} sqliteTable("${table}", {\n${lines.join("")}}${more});\n`;
}

function columnText(table: string, column: Column, text: string, isKey: boolean): string {
  const { name, type, notnull, dflt_value: value, pk, hidden } = column;
  const values = hidden > 0 ? valuesMade(text, name) : valuesIn(text, name);
  const words = values.map((word) => JSON.stringify(word)).join(", ");
  const own = TYPES[`${table}.${name}`] ?? TYPES[name];
  return [
    `${type.toLowerCase()}("${name}"${words === "" ? "" : `, { enum: [${words}] }`})`,
    own === undefined || words !== "" ? "" : `.$type<${own}>()`,
    isKey ? ".primaryKey()" : "",
    notnull === 1 || (pk > 0 && !isKey) ? ".notNull()" : "",
    value === null || hidden > 0 ? "" : `.default(${defaultText(value)})`,
    // What it is made of stands in the migration.
    hidden > 0 ? ".generatedAlwaysAs(() => sql``)" : "",
  ].join("");
}

/** The words that a CHECK lists of a column, alone or before what else it asks. */
function valuesIn(text: string, column: string): string[] {
  const start = `CHECK \\(\\s*(?:${column} IS NULL OR )?${column} IN`;
  return wordsOf(new RegExp(`${start} \\(\\s*('[^)]*?)\\s*\\)\\s*(?:\\)|AND\\b)`).exec(text)?.[1]);
}

/** The words that a generated column is one of. */
function valuesMade(text: string, column: string): string[] {
  const [, made = ""] = new RegExp(`\\b${column} TEXT GENERATED ALWAYS AS ([^]*?) VIRTUAL`).exec(text) ?? [];
  return [...new Set(wordsOf(made.match(/\b(?:THEN|ELSE) '\w+'/g)?.join()))];
}

function wordsOf(list = ""): string[] {
  return Array.from(list.matchAll(/'(\w+)'/g), ([, word = ""]) => word);
}

function defaultText(value: string): string {
  if (/^-?\d+$/.test(value)) return value;
  return /^'.*'$/.test(value) ? JSON.stringify(value.slice(1, -1).replaceAll("''", "'")) : `sql\`${value}\``;
}

function keyOf(table: string, column: string): string {
  return NAMES[`${table}.${column}`] ?? camelCase(column);
}

function camelCase(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
