// The Worker as `wrangler dev` runs it, but without an inspector: its port lets any caller read the Worker's memory,
// secrets included, and the command has no switch for it. Started by the keeper.
import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { unstable_startWorker } from "wrangler";

const [config = "", entrypoint = "", assets = "", port = "", persist = "", variables = ""] =
  process.argv.slice(2);

const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
};

const worker = await unstable_startWorker({
  config,
  entrypoint,
  bindings: { ASSETS: { type: "fetcher", fetcher: ({ url }: Request) => serveAsset(new URL(url).pathname) } },
  build: { bundle: false },
  envFiles: [variables],
  dev: {
    server: { hostname: "127.0.0.1", port: Number(port) },
    inspector: false,
    persist,
    watch: false,
  },
});
process.once("SIGTERM", () => worker.dispose().finally(() => process.exit()));
await worker.ready;

/** Also serves what was built after the start, which a server of wrangler's would not take in. */
async function serveAsset(path: string): Promise<Response> {
  const page = path.endsWith("/") ? `${path}index.html` : `${path}.html`;
  const name = extname(path) === "" ? page : path;
  const content = await readFile(join(assets, name)).catch(() => undefined);
  if (content === undefined) return new Response(null, { status: 404 });
  return new Response(content, { headers: { "Content-Type": TYPES[extname(name)] ?? "text/plain" } });
}
