import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

/** Runs document.ts, bundled into one module. */
export async function makeDocument(): Promise<typeof import("./document.ts")> {
  const place = await mkdtemp(join(tmpdir(), "company-operations-document-"));
  try {
    const outfile = join(place, "document.mjs");
    await build({
      entryPoints: [join(import.meta.dirname, "document.ts")],
      outfile,
      bundle: true,
      platform: "node",
      format: "esm",
      target: "es2024",
      // As for the Worker, whose modules they are.
      conditions: ["workerd", "worker", "browser"],
      mainFields: ["browser", "module", "main"],
      external: ["cloudflare:*"],
      loader: { ".sql": "text" },
      logLevel: "warning",
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    await rm(place, { recursive: true });
  }
}
