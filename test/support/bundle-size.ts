import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { modulesOf } from "../../src/build/bundle-modules.ts";

/** What may be loaded before the first request, compressed. */
export const START_BYTES = 130_000;

/** What a deployment would upload, compressed: all of it, and what is loaded before the first request. */
export async function gzippedBytes(bundle: string): Promise<{ upload: number; start: number }> {
  const sizeOf = async (files: Iterable<string>) => {
    const contents = await Promise.all(Array.from(files, (file) => readFile(join(bundle, file))));
    return gzipSync(Buffer.concat(contents), { level: 9 }).length;
  };
  return {
    upload: await sizeOf(await modulesOf(bundle)),
    start: await sizeOf(await imported(bundle, "worker.js")),
  };
}

/** A module with all that it imports, and they in turn; not what it loads later. */
async function imported(bundle: string, file: string, known = new Set<string>()): Promise<Set<string>> {
  if (known.has(file)) return known;
  known.add(file);
  const text = await readFile(join(bundle, file), "utf8");
  for (const [, other = ""] of text.matchAll(/(?:\bfrom|\bimport)"\.\/([\w.-]+)"/g))
    await imported(bundle, other, known);
  return known;
}
