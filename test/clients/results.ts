import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** What came of a generator's client: of which version and document it is, and which of the five calls passed. */
export type Result = { version: string; document: string; passed: string[] };

const FILE = join(import.meta.dirname, "../vectors/clients.json");

/** The results that are kept, by their generators. */
export async function keptResults(): Promise<Record<string, Result>> {
  return JSON.parse(await readFile(FILE, "utf8"));
}

/** Keeps a result in place of the one before. */
export async function keepResult(name: string, result: Result): Promise<void> {
  const results = { ...(await keptResults()), [name]: result };
  await writeFile(FILE, `${JSON.stringify(results, null, 2)}\n`);
}

/** The hash of a document without its addresses, and without its words and examples, which are a client's comments. */
export function hashOf(document: string): string {
  const isComment = (name: string, value: unknown) =>
    /^(?:examples?|servers)$/.test(name) ||
    (/^(?:description|summary)$/.test(name) && typeof value === "string");
  const said = JSON.parse(document, (name, value) => (isComment(name, value) ? undefined : value));
  return createHash("sha256").update(JSON.stringify(said)).digest("hex");
}
