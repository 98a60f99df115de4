import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Plugin } from "esbuild";

const PLAIN = join(import.meta.dirname, "../core/database/plain-request.ts");

/** Lets the client of libSQL make plain requests in place of the runtime's. Throws where a new version makes none. */
export const plainRequests: Plugin = {
  name: "plain-requests",
  setup(build) {
    build.onLoad({ filter: /\/@libsql\/hrana-client\/lib-esm\/http\/stream\.js$/ }, async ({ path }) => {
      const text = await readFile(path, "utf8");
      if (!text.includes("new Request(") || !text.includes("new Headers("))
        throw new Error(`${path} makes no requests: the build has to be looked at`);
      const names = "PlainHeaders as Headers, PlainRequest as Request";
      return { contents: `import { ${names} } from ${JSON.stringify(PLAIN)};\n${text}` };
    });
  },
};
