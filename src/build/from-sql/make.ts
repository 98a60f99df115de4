import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { migrationTexts } from "../../tenancy/migrations/migrated-database.ts";
import { migrationList } from "./migrations.ts";
import { tableModules } from "./tables.ts";

const FOLDER = join(import.meta.dirname, "../../../build");
const MIGRATIONS = join(FOLDER, "migrations.ts");
/** The hash of what makes the files, and of the files: one that a kill left as it was is made anew. */
const STAMP = join(FOLDER, "from-sql.sha256");
const TABLES = join(FOLDER, "tables");

/**
 * Makes what the code imports as `#tables/<owner>` and `#migrations` out of the files of SQL, unless it is there already.
 * It runs before whatever imports or checks the code.
 */
export function makeFromSql(): void {
  if (existsSync(STAMP) && readFileSync(STAMP, "utf8") === stampNow()) return;
  const tables = tableModules();
  for (const name of madeTables().filter((one) => !tables.has(one)))
    rmSync(join(TABLES, name), { force: true });
  for (const [name, text] of tables) write(join(TABLES, name), text);
  write(MIGRATIONS, migrationList());
  write(STAMP, stampNow());
}

function stampNow(): string {
  const code = readdirSync(import.meta.dirname).map((file) => readFileSync(join(import.meta.dirname, file)));
  const texts = [migrationTexts("company"), migrationTexts("control")];
  const made = [...madeTables().map((name) => join(TABLES, name)), MIGRATIONS]
    .filter((path) => existsSync(path))
    // By their places in the folder: a tree that was moved is as it was, and may be read-only.
    .map((path) => [relative(FOLDER, path), readFileSync(path, "utf8")]);
  return createHash("sha256")
    .update(JSON.stringify([texts, code.join("\n"), made]))
    .digest("hex");
}

function madeTables(): string[] {
  if (!existsSync(TABLES)) return [];
  const names = readdirSync(TABLES, { recursive: true, encoding: "utf8" });
  return names.filter((name) => name.endsWith(".ts")).toSorted();
}

/** Writes a file at once as a whole: another process may be reading it, or writing the same. */
function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, text);
  renameSync(unfinished, path);
}
