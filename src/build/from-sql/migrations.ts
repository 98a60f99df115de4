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
  const texts = currentTexts(of).map((text, index) => ({ ...text, sql: `${of}${index}` }));
  const imports = texts.map((text) => {
    const folder = fileOf(text) === undefined ? of : `${of}/alterations`;
    return `import ${text.sql} from "../migrations/${folder}/${text.name}.sql";`;
  });
  const entries = texts.map(({ name, sql, before }) => {
    // It stands in the text already, which a bundle holds.
    const change = before === undefined ? "" : `, before: ${sql}.slice(11, 75)`;
    return `  { name: "${name}", sql: ${sql}${change} },`;
  });
  const list = `export const ${of.toUpperCase()}_MIGRATIONS: readonly [Migration, ...Migration[]] = [`;
  return { imports, list: [list, ...entries, "];"] };
}
