import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { buildReference } from "./reference.ts";
import { buildWidget } from "./widget.ts";

// Writes what is served beside the Worker: the API document, the reference page and the booking widget. An argument
// names the folder; `--sandbox` after it fills the reference page in with the demo company.
const isSandbox = process.argv[3] === "--sandbox";
const folder = process.argv[2] ?? join(import.meta.dirname, "../../build/assets");

const { document, shownDocument } = await makeDocument();
await mkdir(folder, { recursive: true });
await Promise.all([
  writeFile(join(folder, "openapi.json"), JSON.stringify(document)),
  buildReference(join(folder, "docs"), shownDocument, isSandbox),
  buildWidget(join(folder, "widget/v1")),
]);

/** Runs document.ts, bundled into one module. */
async function makeDocument(): Promise<typeof import("./document.ts")> {
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
