import { currentTexts, type Migrated, migratedDatabase } from "../../tenancy/migrations/migrated-database.ts";
import { filesOf } from "../../tenancy/migrations/missing-and-changed.ts";
import { tableText } from "./table-text.ts";
import { OWNERS, OWNERS_OF_FILES } from "./unsaid.ts";

const IMPORTED = ["integer", "primaryKey", "real", "sqliteTable", "text"];

/** The text of each owner's module, by its file. A table that both databases have is that of companies. */
export function tableModules(): Map<string, string> {
  const tables = new Map([...tablesOf("control"), ...tablesOf("company")]);
  const owners = Map.groupBy(tables.values(), ({ owner }) => owner);
  return new Map(
    [...owners].map(([owner, own]) => {
      const text = own.map((table) => table.text).join("\n");
      const names = IMPORTED.filter((name) => new RegExp(`(?<![.\\w])${name}\\(`).test(text));
      const sql = text.includes("sql`") ? 'import { sql } from "drizzle-orm";\n' : "";
      return [
        `${owner}.ts`,
        `${sql}import { ${names.join(", ")} } from "drizzle-orm/sqlite-core";\n\n${text}`,
      ];
    }),
  );
}

function tablesOf(of: Migrated): Map<string, { owner: string; text: string }> {
  const database = migratedDatabase(of);
  return new Map(
    filesOf(currentTexts(of)).flatMap(({ name, sql }) => {
      const file = name.replace(/^\d+_/, "");
      const ofFile = of === "control" ? "tenancy" : (OWNERS_OF_FILES[file] ?? file.replaceAll("_", "-"));
      const names = Array.from(sql.matchAll(/^CREATE TABLE (\w+) \(/gm), ([, table = ""]) => table);
      return names.map((table) => [
        table,
        { owner: OWNERS[table] ?? ofFile, text: tableText(database, table) },
      ]);
    }),
  );
}
