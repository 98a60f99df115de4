import { createServer, type Server } from "node:http";
import type { Configuration } from "./configuration.ts";

/** The sandbox's own server: stand-ins for the services outside, each a route of this table, and a page about them. */
export async function startSandboxServer(configuration: Configuration): Promise<Server> {
  const routes: Record<string, () => string> = { "/": () => frontPage(configuration) };
  const server = createServer((request, response) => {
    const page = routes[new URL(request.url ?? "/", "http://localhost").pathname];
    response.writeHead(page === undefined ? 404 : 200, {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'",
    });
    response.end(
      page?.() ?? "<!doctype html><title>Not found</title><p>Nothing is here. <a href='/'>Front page</a>",
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(configuration.sandboxPort, "127.0.0.1", resolve);
  });
  return server;
}

function frontPage({ port }: Configuration): string {
  const host = `http://localhost:${port}`;
  return `<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Company Operations sandbox</title>
<style>
  body { font: 16px/1.6 system-ui, sans-serif; max-width: 42rem; margin: 3rem auto; padding: 0 1rem; color: #1c2430 }
  h1 { font-size: 1.5rem } code { background: #f1f4f8; padding: .15em .4em; border-radius: 4px }
  dt { font-weight: 600; margin-top: 1rem } dd { margin: 0 } a { color: #0b57d0 }
</style>
<h1>Company Operations sandbox</h1>
<p>This machine runs the whole service. Nothing here reaches the outside.</p>
<dl>
  <dt><a href="${host}/docs">API reference</a></dt><dd>Every operation, with calls to copy.</dd>
  <dt><code>${host}/v1</code></dt><dd>The API; the keys stand in <code>.data/credentials.json</code>.</dd>
  <dt>demo-traders</dt><dd>An Indian company with customers in ten states and eleven weeks of invoices.</dd>
  <dt>demo-driving</dt><dd>An Australian driving school; its publishable key works from this address.</dd>
</dl>
</html>`;
}
