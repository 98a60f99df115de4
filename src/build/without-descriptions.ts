import { readFile } from "node:fs/promises";
import type { Plugin } from "esbuild";

// A call that only describes a schema: what stands in it is a plain text, or a template.
const DESCRIBES =
  /\s*\.(?:describe\(|meta\(\{\s*description:)\s*(?:"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`)\s*,?\s*(?:\}\s*)?\)/g;

/** Leaves the descriptions of schemas out of the Worker: the API document has them, which is made at build. */
export const withoutDescriptions: Plugin = {
  name: "without-descriptions",
  setup(build) {
    // Not the tools of agents, which describe their own members when they are asked.
    build.onLoad(
      { filter: /\/src\/(?:core|features|integrity|shared|tenancy)\/.*\.ts$/ },
      async ({ path }) => {
        const text = await readFile(path, "utf8");
        // Lines stay, for the source maps.
        return { contents: text.replace(DESCRIBES, (call) => call.replace(/[^\n]/g, "")), loader: "ts" };
      },
    );
  },
};
