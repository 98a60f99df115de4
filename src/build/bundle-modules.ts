import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** The names of a bundle's modules, the one that runs first at the front. */
export async function modulesOf(bundle: string): Promise<string[]> {
  const files = await readdir(bundle);
  return ["worker.js", ...files.filter((file) => file.endsWith(".js") && file !== "worker.js")];
}

/** The modules of a bundle as Miniflare takes them. */
export async function readModules(bundle: string) {
  const modules = (await modulesOf(bundle)).map(async (path) => ({
    type: "ESModule" as const,
    path,
    contents: await readFile(join(bundle, path), "utf8"),
  }));
  return Promise.all(modules);
}
