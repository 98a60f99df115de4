import type { Plugin } from "esbuild";

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
