import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { migrationTexts } from "../../tenancy/migrations/migrated-database.ts";
import { migrationList } from "./migrations.ts";
import { tableModules } from "./tables.ts";

const FOLDER = join(import.meta.dirname, "../../../build");
/** The hash of what was made, and of what makes it. */
const STAMP = join(FOLDER, "from-sql.sha256");
const TABLES = join(FOLDER, "tables");

/**
 * Makes what the code imports as `#tables/<owner>` and `#migrations` out of the files of SQL, unless it is there already.
 * It runs before whatever imports or checks the code.
 */
export function makeFromSql(): void {
  const stamp = stampNow();
  if (existsSync(STAMP) && readFileSync(STAMP, "utf8") === stamp) return;
  const tables = tableModules();
  const former = existsSync(TABLES) ? readdirSync(TABLES, { recursive: true, encoding: "utf8" }) : [];
  for (const name of former.filter((one) => one.endsWith(".ts") && !tables.has(one)))
    rmSync(join(TABLES, name));
  for (const [name, text] of tables) write(join(TABLES, name), text);
  write(join(FOLDER, "migrations.ts"), migrationList());
  write(STAMP, stamp);
}

function stampNow(): string {
  const code = readdirSync(import.meta.dirname).map((file) => readFileSync(join(import.meta.dirname, file)));
  const texts = [migrationTexts("company"), migrationTexts("control")];
  return createHash("sha256")
    .update(JSON.stringify([texts, code.join("\n")]))
    .digest("hex");
}

/** Writes a file at once as a whole: another process may be reading it, or writing the same. */
function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, text);
  renameSync(unfinished, path);
}
