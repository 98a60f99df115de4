import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Response } from "miniflare";
import { buildDocuments } from "../../src/sandbox/worker/builds.ts";

const FOLDER = join(import.meta.dirname, "../../build/test-assets");

let built: Promise<void> | undefined;

/** Serves what a deployment has beside the Worker; it is built at the first request, and kept until a source changes. */
export async function serveAsset({ url }: { url: string }): Promise<Response> {
  built ??= buildDocuments(FOLDER);
  await built;
  const { pathname } = new URL(url);
  const path = pathname.endsWith("/") ? `${pathname}index.html` : pathname;
  // A page is found without its ending too.
  for (const file of [path, `${path}.html`]) {
    const body = await readFile(join(FOLDER, file)).catch(() => undefined);
    const headers: Record<string, string> = file.endsWith(".html") ? { "Content-Type": "text/html" } : {};
    if (body !== undefined) return new Response(body, { headers });
  }
  return new Response(null, { status: 404 });
}
