import { globSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { sources } from "./sources.ts";

const TABLES = "build/tables";

// A trigger's or an upsert's own UPDATE names no table.
const WRITE =
  /\b(?:INSERT(?:\s+OR\s+\w+)?\s+INTO|REPLACE\s+INTO|UPDATE(?:\s+OR\s+(?:ABORT|FAIL|IGNORE|REPLACE|ROLLBACK))?|DELETE\s+FROM)\s+(?:\$\{\s*(\w+)\s*\}|["[]?(\w+))/g;

// A read by the table imported is fine: the compiler sees it.
const READ_BY_NAME = /\b(?:FROM|JOIN)\s+(?:"|\[)?(\w+)/g;

// `FROM ${rows} mine`: the compiler sees none of the columns after `mine`. `AS ${mine}` of drizzle's alias() it sees.
const ALIASED_BY_TEXT = /\b(?:FROM|JOIN)\s+\$\{\s*(\w+)\s*\}\s+(?:AS\s+)?([a-z]\w*)/g;

/** Whose each table is: a feature by its name, or `core` or `tenancy`, as the module that is made of it is named. */
function ownersOf(): Map<string, string> {
  return new Map(
    globSync(`${TABLES}/**/*.ts`).flatMap((path) => {
      const [owner = ""] = relative(TABLES, path).replace(/\.ts$/, "").split("/");
      const tables = readFileSync(path, "utf8").matchAll(/\bsqliteTable\("(\w+)"/g);
      return Array.from(tables, ([, table = ""]): [string, string] => [table, owner]);
    }),
  );
}

// A name that one table's alias() has.
const ALIAS = /\balias\(\w+, "(\w+)"\)/g;

let aliases: Set<string> | undefined;
let known: Map<string, string> | undefined;

/** Where SQL text writes a table which is another's, or names it as text. */
export function foreignTables(text: string, path: string): number[] {
  known ??= ownersOf();
  const owners = known;
  const own = ownerOf(path);
  const imported = importedTables(text);
  const isForeign = (owner: string | undefined) => owner !== undefined && owner !== own;
  const written = [...text.matchAll(WRITE)].filter(([, variable, name = ""]) =>
    isForeign(variable === undefined ? owners.get(name) : imported.get(variable)),
  );
  const read = [...text.matchAll(READ_BY_NAME)].filter(([, name = ""]) => isForeign(owners.get(name)));
  return [...written, ...read].map((found) => found.index);
}

/** Where SQL text gives an imported table a name, or takes a column after the name that another file's alias() gave. */
export function columnsAfterAliases(text: string): number[] {
  const tables = importedTables(text);
  const named = [...text.matchAll(ALIASED_BY_TEXT)].filter(([, table = ""]) => tables.has(table));
  aliases ??= new Set(
    sources().flatMap((source) => [...source.text.matchAll(ALIAS)].map(([, name = ""]) => name)),
  );
  const borrowed = [...aliases]
    .filter((name) => !new RegExp(`(?:[)}]|\\b(?:AS|FROM|JOIN))\\s+${name}\\b`).test(text))
    .flatMap((name) => inTemplates(new RegExp(`(?<![\\w.])${name}\\.[a-z]`, "g"), text));
  return [...named.map((found) => found.index), ...borrowed];
}

/** Where a pattern is in SQL templates, outside what they interpolate. */
function inTemplates(pattern: RegExp, text: string): number[] {
  return [...text.matchAll(/\bsql(?:<[^`>]*>)?`(?:\\.|[^`\\])*`/g)].flatMap((template) => {
    const bare = template[0].replace(/\$\{[^}]*\}/g, (value) => value.replace(/\S/g, " "));
    return [...bare.matchAll(pattern)].map((found) => template.index + found.index);
  });
}

/** By each local name of an imported table, whose it is. */
function importedTables(text: string): Map<string, string> {
  const imports = text.matchAll(/\bimport\s+\{([^}]*)\}\s+from\s+"#tables\/([^"/]+)/g);
  return new Map(
    [...imports].flatMap(([, names = "", owner = ""]) =>
      [...names.matchAll(/(\w+)\s*(?:,|$)/g)].map(([, name = ""]): [string, string] => [name, owner]),
    ),
  );
}

function ownerOf(path: string): string | undefined {
  const [, feature, folder] = /^src\/(?:features\/([^/]+)|([^/]+))\//.exec(path) ?? [];
  return feature ?? folder;
}
