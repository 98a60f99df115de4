import { readFile } from "node:fs/promises";
import type { Plugin } from "esbuild";

// What libraries bring along and the Worker never runs: how zod describes a schema (the API's document is built before)
// and takes values with cycles, which no JSON has; drizzle's other dialect and its relations; a format sqld is not asked for.
const NEVER_RUN =
  /\/(?:zod\/v4\/core\/(?:json-schema-processors|memoizer|to-json-schema)|drizzle-orm\/(?:relations|pg-core\/.+|sqlite-core\/query-builders\/(?:count|query))|@libsql\/hrana-client\/lib-esm\/.*protobuf.*)\.js$/;
const EXPORTED = /^export (?:async )?(?:function|const|class|let|var) (\w+)/gm;
const FORMAT_METHODS =
  /^ {4}\w+\(params\) \{\n {8}return this\.check\(core\._\w+\(Zod\w+, params\)\);\n {4}\},\n/gm;
const RELATIONAL_METHODS =
  /^ {2}(?:buildRelationalQuery|buildRelationalQueryWithoutPK|async migrate|migrate)\([\s\S]*?^ {2}\}\n/gm;
const EXPORTED_LISTS = /^export \{([^}]*)\}/gm;

/** Leaves out of the bundle what libraries bring along and the Worker never runs: each such export does nothing. */
export const withoutUnused: Plugin = {
  name: "without-unused",
  setup(build) {
    build.onLoad({ filter: NEVER_RUN }, async ({ path }) => {
      const text = await readFile(path, "utf8");
      const lists = Array.from(text.matchAll(EXPORTED_LISTS), ([, list = ""]) => list.split(",")).flat();
      const names = [
        ...Array.from(text.matchAll(EXPORTED), ([, name]) => name),
        ...lists.map((item) => item.split(" as ").at(-1)?.trim()).filter((name) => name !== ""),
      ];
      return { contents: `function leftOut(){}export{${names.map((name) => `leftOut as ${name}`)}};` };
    });
    build.onLoad({ filter: /\/drizzle-orm\/sqlite-core\/dialect\.js$/ }, async ({ path }) => ({
      contents: (await readFile(path, "utf8")).replaceAll(RELATIONAL_METHODS, ""),
    }));
    // Each string of zod has a method for each format, so all formats would come along; ours are of the newer `z.url()`
    // kind. Its other lines take a namespace as a value, which keeps all that stands in it.
    build.onLoad({ filter: /\/zod\/v4\/classic\/schemas\.js$/ }, async ({ path }) => {
      const text = await readFile(path, "utf8");
      const contents = text
        .replace('import { util } from "../core/index.js"', 'import * as util from "../core/util.js"')
        .replaceAll("core.util.", "util.")
        .replaceAll(FORMAT_METHODS, "");
      return { contents };
    });
  },
};

/**
 * Joins all that is loaded before the first request in one chunk. Each module that is loaded later imports it first, so
 * that nothing of it is shared by some of them alone and stands in a chunk of its own.
 */
export function inOneChunk(first: string): Plugin {
  return {
    name: "in-one-chunk",
    setup(build) {
      build.onResolve({ filter: /./ }, async ({ kind, path, resolveDir, pluginData }) => {
        if (kind !== "dynamic-import" || pluginData === first) return undefined;
        const found = await build.resolve(path, { kind, resolveDir, pluginData: first });
        if (found.external || found.path.includes("/node_modules/")) return undefined;
        return { path: found.path, namespace: "later" };
      });
      build.onLoad({ filter: /./, namespace: "later" }, ({ path }) => ({
        contents: `import ${JSON.stringify(first)};export * from ${JSON.stringify(path)};`,
        resolveDir: "/",
      }));
    },
  };
}
