import { readFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { afterAll } from "vitest";
import { serve } from "../../src/sandbox/server/node-handler.ts";

const ASSETS = join(import.meta.dirname, "../../build/assets");
const TYPES: Record<string, string> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".json": "application/json",
};

/** Serves a file's tests what the build has made, as the Worker does: a page without the end of its file's name. */
export async function serveAssets(headers: Record<string, string> = {}): Promise<string> {
  const server = await serve(async ({ url }) => {
    const path = new URL(url).pathname.replace(/^\/v1/, "").replace(/^\/docs(?:\/guides)?$/, "$&/index");
    const file = extname(path) === "" ? `${path}.html` : path;
    const type = TYPES[extname(file)] ?? "";
    return new Response(await readFile(join(ASSETS, file)), {
      headers: { "Content-Type": type, ...headers },
    });
  }, 0);
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/docs`;
}
