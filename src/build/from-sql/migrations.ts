import { hash } from "node:crypto";
import { currentTexts, type Migrated } from "../../tenancy/migrations/migrated-database.ts";
import { fileOf } from "../../tenancy/migrations/missing-and-changed.ts";

/** The module that lists the migrations of both databases: the files of a new one, then what alters others. */
export function migrationList(): string {
  const [company, control] = [listOf("company"), listOf("control")];
  return [
    ...company.imports,
    ...control.imports,
    'import type { Migration } from "#tenancy/migrations/missing-and-changed.ts";',
    ...company.list,
    ...control.list,
    "",
  ].join("\n");
}

function listOf(of: Migrated): { imports: string[]; list: string[] } {
  const texts = currentTexts(of).map((text, index) => ({
    ...text,
    made: hash("sha256", text.sql) === text.sha256 ? undefined : JSON.stringify(text.sql),
    symbol: `${of}${index}`,
  }));
  const sources = texts.map(({ made, symbol, ...text }) => {
    const folder = fileOf(text) === undefined ? of : `${of}/alterations`;
    const file = `import ${symbol} from "../migrations/${folder}/${text.name}.sql";`;
    return made === undefined ? file : `const ${symbol} = ${made};`;
  });
  const entries = texts.map(({ name, symbol, made, sha256, before }) => {
    // It stands in the text already, which a bundle holds.
    const change = before === undefined ? "" : `, before: ${symbol}.slice(11, 75)`;
    const own = made === undefined ? "" : `, sha256: "${sha256}"`;
    return `  { name: "${name}", sql: ${symbol}${own}${change} },`;
  });
  const list = `export const ${of.toUpperCase()}_MIGRATIONS: readonly [Migration, ...Migration[]] = [`;
  return { imports: sources, list: [list, ...entries, "];"] };
}
