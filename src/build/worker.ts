import { rm } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { companySchema } from "./schema.ts";

// Bundles the Worker into chunks that it loads as they are asked for. An argument names the folder.
const root = join(import.meta.dirname, "../..");
const folder = process.argv[2] ?? join(root, "build/worker");

await rm(folder, { recursive: true, force: true });
await build({
  absWorkingDir: root,
  entryPoints: { worker: "src/worker.ts" },
  outdir: folder,
  bundle: true,
  splitting: true,
  format: "esm",
  target: "es2024",
  conditions: ["workerd", "worker", "browser"],
  external: ["cloudflare:*"],
  loader: { ".sql": "text" },
  define: { COMPANY_SCHEMA: JSON.stringify(companySchema()) },
  minify: true,
  chunkNames: "[name]-[hash]",
  logLevel: "warning",
});
