import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { currentTexts, type Migrated } from "../../tenancy/migrations/migrated-database.ts";
import { modulesOf } from "./modules.ts";

const FOLDER = join(import.meta.dirname, "../../../build/tables");
/** The hash of what the tables were made of. */
const STAMP = join(FOLDER, ".made-of");

/**
 * Makes the tables that the code imports as `#tables/<owner>` out of the migrations, unless they are there already. It
 * runs before whatever imports or checks them.
 */
export function makeTables(): void {
  const stamp = stampOf(["company", "control"]);
  if (existsSync(STAMP) && readFileSync(STAMP, "utf8") === stamp) return;
  const modules = modulesOf();
  const former = existsSync(FOLDER) ? readdirSync(FOLDER, { recursive: true, encoding: "utf8" }) : [];
  for (const name of former.filter((one) => one.endsWith(".ts") && !modules.has(one)))
    rmSync(join(FOLDER, name));
  for (const [name, text] of modules) write(join(FOLDER, name), text);
  write(STAMP, stamp);
}

function stampOf(databases: readonly Migrated[]): string {
  const texts = databases.flatMap((of) =>
    currentTexts(of).map(({ name, sha256 }) => `${of} ${name} ${sha256}`),
  );
  const code = readdirSync(import.meta.dirname).map((file) => readFileSync(join(import.meta.dirname, file)));
  return createHash("sha256")
    .update([...texts, ...code].join("\n"))
    .digest("hex");
}

/** Writes a file at once as a whole: another process may be reading it, or writing the same. */
function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, text);
  renameSync(unfinished, path);
}
