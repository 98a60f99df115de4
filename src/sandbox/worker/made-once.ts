import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Makes what stands in a folder, unless it was made before of the very same files: a hash of them lies beside it. */
export async function madeOnce(
  folder: string,
  sources: readonly string[],
  make: () => Promise<void>,
): Promise<void> {
  const note = `${folder}.made-of`;
  const hash = await hashOf(sources);
  const known = existsSync(folder) ? await readFile(note, "utf8").catch(() => "") : "";
  if (known === hash) return;
  // Gone first: what is half made is made again.
  await rm(note, { force: true });
  await make();
  await writeFile(note, hash);
}

/** Of the contents and the names of files, and of all in folders. */
async function hashOf(sources: readonly string[]): Promise<string> {
  const files = (await Promise.all(sources.map(filesIn))).flat().sort();
  const texts = await Promise.all(files.map((file) => readFile(file)));
  const hash = createHash("sha256");
  for (const [index, text] of texts.entries()) hash.update(`${files[index]}\0${text.length}\0`).update(text);
  return hash.digest("hex");
}

async function filesIn(path: string): Promise<string[]> {
  if ((await stat(path)).isFile()) return [path];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}
