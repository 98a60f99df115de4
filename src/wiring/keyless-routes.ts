import type { Hono } from "hono";
import { directoryOf, environmentOf } from "#api/environment.ts";
import { LINKS, serveAiCatalog, serveApiCatalog, serveServerCard } from "#api/pages/discovery.ts";
import {
  serveApiDocument,
  serveDemo,
  serveGuide,
  serveLlms,
  servePage,
  serveReference,
  serveWidget,
} from "#api/pages/documents.ts";
import { frontPage } from "#api/pages/front-page.tsx";
import { jsonReply } from "#api/replies/replies.ts";
import type { App, RequestContext } from "#api/request-state.ts";
import { nameWork } from "#core/log.ts";
import { isProblemCode, PROBLEMS, Problem } from "#shared/problem.ts";
import { API_VERSION, buildOf } from "#shared/version.ts";

const VARIES = { Vary: "Accept" };

/** Mounts what needs no key: the checks of monitors and the documents. */
export function mountHost(app: Hono<App>, bases: readonly string[]): void {
  for (const base of bases)
    for (const file of ["/openapi.json", "/openapi-3.0.json"])
      app.get(base + file, (c) => serveApiDocument(c, file));
  app.get("/health", (c) => jsonReply(c, 200, { status: "ok", version: API_VERSION, build: buildOf() }));
  app.get("/ready", async (c) => {
    nameWork({ operation: "ready" });
    const { isReady } = await import("#integrity/readiness/is-ready.ts");
    const ready = await isReady(directoryOf(c.env), c.get("state").startedAt);
    return jsonReply(c, ready ? 200 : 503, { status: ready ? "ready" : "not_ready" });
  });
  app.get("/", (c) => servePage(c, frontPage(environmentOf(c).origin), LINKS));
  app.get("/.well-known/api-catalog", serveApiCatalog);
  app.get("/.well-known/ai-catalog.json", serveAiCatalog);
  app.get("/mcp/server-card", serveServerCard);
  for (const path of ["/errors", "/errors/"])
    app.get(path, async (c) => {
      if (!takesPages(c)) return jsonReply(c, 200, { data: errorList(environmentOf(c).origin) }, VARIES);
      const { errorsPage } = await import("#api/pages/error-page.tsx");
      return servePage(c, errorsPage(), VARIES);
    });
  app.get("/errors/:code", async (c) => {
    const code = c.req.param("code");
    const isKnown = isProblemCode(code);
    if (!isKnown && !takesPages(c)) throw new Problem("route_not_found");
    const { errorPage, unknownErrorPage } = await import("#api/pages/error-page.tsx");
    if (isKnown) return servePage(c, errorPage(code, environmentOf(c).origin));
    return servePage(c, unknownErrorPage(), VARIES, 404);
  });
  app.get("/docs", (c) => serveReference(c, ""));
  app.get("/widget/v1/:file", (c) => serveWidget(c, c.req.param("file")));
  app.get("/docs/", (c) => serveReference(c, ""));
  app.get("/docs/demo.json", serveDemo);
  for (const path of ["/docs/guides", "/docs/guides/"])
    app.get(path, (c) => orUnknownPage(c, serveGuide(c, "/docs/guides/")));
  for (const folder of ["/docs/guides", "/docs/pages"])
    app.get(`${folder}/:name`, (c) =>
      orUnknownPage(c, serveGuide(c, `${folder}/${encodeURIComponent(c.req.param("name"))}`)),
    );
  app.get("/docs/guides.md", (c) => serveGuide(c, "/docs/guides/index.md"));
  app.get("/docs/:file", (c) => orUnknownPage(c, serveReference(c, c.req.param("file"))));
  app.get("/llms.txt", serveLlms);
}

async function orUnknownPage(c: RequestContext, page: Promise<Response>): Promise<Response> {
  try {
    return await page;
  } catch (error) {
    if (!(error instanceof Problem) || !takesPages(c)) throw error;
    const { unknownPage } = await import("#api/pages/error-page.tsx");
    return servePage(c, unknownPage(), VARIES, 404);
  }
}

/** The error codes as data, for programs: each with its status, its title and the address of its page. */
function errorList(origin: string) {
  return Object.entries(PROBLEMS).map(([code, [status, title]]) => ({
    code,
    status,
    title,
    url: `${origin}/errors/${code}`,
  }));
}

/** Whether a browser asks, to show what comes; a client of the API gets an error as JSON. */
function takesPages(c: RequestContext): boolean {
  return c.req.header("Accept")?.includes("text/html") === true;
}
