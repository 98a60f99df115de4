import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { currentTexts } from "#tenancy/migrations/migrated-database.ts";
import { modulesOf } from "../../../src/build/bundle-modules.ts";

/** What a later release adds to a file of the schema, as SQL that alters a database of the text before. */
export type Change = { file: string; sql: string };

/** Only expands: a Worker of the release before serves on it. Its second step takes a while, so that kills meet it. */
// Of files that no release has altered: an alteration that this one has would come after these.
export const EXPANSION: readonly Change[] = [
  {
    file: "06_customers",
    sql: `ALTER TABLE customers ADD COLUMN nickname TEXT;
CREATE INDEX customers_nickname ON customers (nickname) WHERE nickname IS NOT NULL;
`,
  },
  {
    file: "17_recruitment",
    sql: `CREATE TABLE customer_marks (customer_id INTEGER PRIMARY KEY REFERENCES customers (id)) STRICT;
CREATE TRIGGER customers_mark AFTER INSERT ON customers BEGIN
  INSERT INTO customer_marks (customer_id) VALUES (NEW.id);
END;
WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < 200000)
INSERT INTO customer_marks (customer_id) SELECT id FROM customers WHERE (SELECT count(*) FROM counted) > 0;
`,
  },
];

/** Is refused by every database. */
export const FAULTY: readonly Change[] = [
  { file: "06_customers", sql: "ALTER TABLE customers ADD COLUMN name TEXT;\n" },
];

const NUMBER = /JSON\.parse\('\{"schema":(\d+)\}'\)/;
// What makes a new company's tables at once has no change in it: without it, they are made file by file.
const TOGETHER = /,JSON\.parse\(`\["CREATE (?:\\.|[^`\\])*`\)/s;

/** The bundle as a release would be that changes the schema so; each change adds an alteration. */
export async function laterBundle(
  bundle: string,
  folder: string,
  changes: readonly Change[],
  sha256Of: (file: string) => string | undefined,
): Promise<string> {
  await cp(bundle, folder, { recursive: true });
  const found = new Set<string>();
  for (const name of await modulesOf(folder)) {
    const path = join(folder, name);
    const before = await readFile(path, "utf8");
    let text = before.replace(TOGETHER, "");
    if (text !== before) found.add("new company");
    text = text.replace(NUMBER, (_, number: string) => {
      found.add("number");
      return `JSON.parse('{"schema":${Number(number) + changes.length}}')`;
    });
    for (const [at, { file, sql }] of changes.entries())
      text = text.replace(new RegExp(`\\{name:"${file}",sql:([\\w$]+)\\}`), (_, made: string) => {
        found.add(file);
        const altered = JSON.stringify(sql);
        return `{name:"${file}",sql:${made}+${altered}},{name:"${String(at + 1).padStart(4, "0")}_${file}",sql:${altered},before:"${sha256Of(file)}"}`;
      });
    if (text !== before) await writeFile(path, text);
  }
  if (found.size !== changes.length + 2) throw new Error(`The bundle has only ${[...found].join(", ")}`);
  return folder;
}

/** The SHA-256 of a file of the schema as this release has it. */
export function sha256Here(file: string): string | undefined {
  return currentTexts("company").find(({ name }) => name === file)?.sha256;
}
