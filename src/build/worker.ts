import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build, type Metafile } from "esbuild";
import { currentTexts } from "#tenancy/migrations/migrated-database.ts";
import { schemaNumberOf } from "#tenancy/migrations/missing-and-changed.ts";
import { buildNow } from "./build-now.ts";
import { makeFromSql } from "./from-sql/make.ts";
import { inOneChunk } from "./one-chunk.ts";
import { companySchema, newCompany } from "./schema.ts";
import { withoutDescriptions } from "./without-descriptions.ts";

// Bundles the Worker into chunks that it loads as they are asked for, and says how large a cold start is. An argument
// names the folder.
const root = join(import.meta.dirname, "../..");
const folder = process.argv[2] ?? join(root, "build/worker");

makeFromSql();
await rm(folder, { recursive: true, force: true });
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: { worker: "src/worker.ts" },
  outdir: folder,
  bundle: true,
  splitting: true,
  format: "esm",
  target: "es2024",
  conditions: ["workerd", "worker", "browser"],
  external: ["cloudflare:*", "node:async_hooks"],
  loader: { ".sql": "text", ".md": "text" },
  plugins: [inOneChunk(join(root, "src/wiring/areas.ts")), withoutDescriptions],
  // As texts, which stand where they are used: anything else would be loaded at a cold start.
  define: {
    COMPANY_SCHEMA: asText(companySchema()),
    NEW_COMPANY: asText(await newCompany()),
    BUILD: asText(buildNow()),
    RELEASE: asText({ schema: schemaNumberOf(currentTexts("company")) }),
  },
  minify: true,
  // For `wrangler deploy`, which uploads the maps beside the modules; what runs has only their names.
  sourcemap: "linked",
  sourcesContent: false,
  chunkNames: "[name]-[hash]",
  logLevel: "warning",
  metafile: true,
});

const cold = filesFrom(metafile, "src/worker.ts");
const area = filesFrom(metafile, "src/features/invoices/invoices/routes.ts", cold);
process.stdout.write(
  `A cold start loads ${await sizeOf(cold)}; its first invoice ${await sizeOf(area)} more.\n`,
);

/** A literal of the JSON text of a value. */
function asText(value: unknown): string {
  return JSON.stringify(JSON.stringify(value));
}

/** The files of the bundle that an entry point loads, without those that are loaded already. */
function filesFrom({ outputs }: Metafile, entryPoint: string, loaded: readonly string[] = []): string[] {
  const [first] = Object.entries(outputs).find(([, output]) => output.entryPoint?.endsWith(entryPoint)) ?? [];
  if (first === undefined) throw new Error(`Nothing of the bundle begins with ${entryPoint}`);
  const files = new Set([first]);
  for (const file of files)
    for (const { path, kind } of outputs[file]?.imports ?? [])
      if (kind === "import-statement" && !loaded.includes(path) && path in outputs) files.add(path);
  return [...files];
}

async function sizeOf(files: readonly string[]): Promise<string> {
  const texts = await Promise.all(files.map((file) => readFile(join(root, file))));
  const bytes = texts.reduce((sum, text) => sum + gzipSync(text).length, 0);
  return `${(bytes / 1_024).toFixed(0)} KiB (gzip) in ${files.length} files`;
}
