import type { Hono } from "hono";
import { directoryOf, environmentOf } from "#api/environment.ts";
import { serveApiDocument, serveDemo, servePage, serveReference, serveWidget } from "#api/pages/documents.ts";
import { frontPage } from "#api/pages/front-page.tsx";
import { jsonReply } from "#api/replies/replies.ts";
import type { App } from "#api/request-state.ts";
import { nameWork } from "#core/log.ts";
import { isProblemCode, Problem } from "#shared/problem.ts";
import { API_VERSION, buildOf } from "#shared/version.ts";

/** Mounts what needs no key: the checks of monitors and the documents. */
export function mountHost(app: Hono<App>, bases: readonly string[]): void {
  for (const base of bases) app.get(`${base}/openapi.json`, serveApiDocument);
  app.get("/health", (c) => jsonReply(c, 200, { status: "ok", version: API_VERSION, build: buildOf() }));
  app.get("/ready", async (c) => {
    nameWork({ operation: "ready" });
    const { isReady } = await import("#integrity/readiness/is-ready.ts");
    const ready = await isReady(directoryOf(c.env), c.get("state").startedAt);
    return jsonReply(c, ready ? 200 : 503, { status: ready ? "ready" : "not_ready" });
  });
  app.get("/", (c) => servePage(c, frontPage(environmentOf(c).origin)));
  app.get("/errors/:code", async (c) => {
    const code = c.req.param("code");
    if (!isProblemCode(code)) throw new Problem("route_not_found");
    const { errorPage } = await import("#api/pages/error-page.tsx");
    return servePage(c, errorPage(code, environmentOf(c).origin));
  });
  app.get("/docs", (c) => serveReference(c, ""));
  app.get("/widget/v1/:file", (c) => serveWidget(c, c.req.param("file")));
  app.get("/docs/", (c) => serveReference(c, ""));
  app.get("/docs/demo.json", serveDemo);
  app.get("/docs/:file", (c) => serveReference(c, c.req.param("file")));
}
