import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";

// The operations lead to SQL and Markdown, which a Worker's bundle holds as text: for what imports them in Node after this.
registerHooks({
  load: (url, context, next) =>
    /\.(?:sql|md|jsonl)$/.test(url)
      ? {
          format: "module",
          source: `export default ${JSON.stringify(readFileSync(fileURLToPath(url), "utf8"))}`,
          shortCircuit: true,
        }
      : next(url, context),
});
