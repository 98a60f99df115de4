import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

/** Runs a file of this folder, bundled into one module. */
export async function runBundled<Module>(file: string): Promise<Module> {
  const place = await mkdtemp(join(tmpdir(), "company-operations-bundled-"));
  try {
    const outfile = join(place, "bundled.mjs");
    await build({
      entryPoints: [join(import.meta.dirname, file)],
      outfile,
      bundle: true,
      platform: "node",
      format: "esm",
      target: "es2024",
      // As for the Worker, whose modules they are.
      conditions: ["workerd", "worker", "browser"],
      mainFields: ["browser", "module", "main"],
      external: ["cloudflare:*"],
      loader: { ".sql": "text", ".md": "text", ".jsonl": "text" },
      logLevel: "warning",
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    await rm(place, { recursive: true });
  }
}
