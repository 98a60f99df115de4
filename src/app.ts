import { Hono } from "hono";
import { drain } from "#api/bodies/drain.ts";
import { mount } from "#api/pipeline.ts";
import { renderError } from "#api/replies/errors.ts";
import { logReply } from "#api/request-log.ts";
import { type App, newState } from "#api/request-state.ts";
import { refuseUnrouted } from "#api/unrouted.ts";
import { declareEventSources } from "#core/write/event-sources.ts";
import { declareUniqueViolations } from "#core/write/unique-violations.ts";
import { retryLater } from "#shared/retry.ts";
import { MINUTE_MS } from "#shared/time/durations.ts";
import { isUsable } from "./env.ts";
import { AREAS } from "./wiring/areas.ts";

const BASE_PATHS = ["/v1", "/api/v1"];
const AREA = /^\/(?:api\/)?v1\/([a-z]+)\//;
const FIRST_REFUSAL = 400;
const apps = new Map<string, Hono<App>>();

declareUniqueViolations(() => import("./wiring/unique-violations.ts"));
declareEventSources(async (names) => (await import("./wiring/resources.ts")).resourcesNamed(names));

/** The app that answers a path: each area has its own, so that what is loaded and searched is small. */
export async function appOf(path: string): Promise<Hono<App>> {
  const name = areaOf(path);
  const known = apps.get(name);
  if (known !== undefined) return known;
  const app = await loadApp(name);
  apps.set(name, app);
  return app;
}

/** Makes the app of an area, or of the `platform` operations, the hosted `pages`, or the rest at the `root`. */
export async function loadApp(name: string): Promise<Hono<App>> {
  const app = newApp();
  const area = AREAS[name];
  if (area !== undefined) {
    const { routers, mount: mountRest } = await area();
    for (const base of BASE_PATHS) {
      for (const { operations } of routers) mount(app, base, operations);
      mountRest?.(app, base);
    }
  } else if (name === "platform") {
    const [{ platformOperations }, { mountPlatformFiles }, { COMPANY_FILES }] = await Promise.all([
      import("./wiring/platform-operations.ts"),
      import("#api/platform-files.ts"),
      import("./wiring/files.ts"),
    ]);
    mount(app, "", platformOperations);
    mountPlatformFiles(
      app,
      COMPANY_FILES.map(({ folder }) => folder),
    );
  } else if (name === "pages") (await import("./wiring/pages.ts")).mountPages(app);
  else (await import("./wiring/keyless-routes.ts")).mountHost(app, BASE_PATHS);
  return app;
}

function areaOf(path: string): string {
  const word = AREA.exec(path)?.[1] ?? "";
  if (Object.hasOwn(AREAS, word)) return word;
  if (path.startsWith("/platform/")) return "platform";
  return /^\/(?:[biu]|cal)\//.test(path) ? "pages" : "root";
}

function newApp(): Hono<App> {
  const app = new Hono<App>();
  app.use(async (c, next) => {
    c.set("state", newState());
    if (isUsable(c.env)) await next();
    else c.res = await renderError(retryLater("unavailable", MINUTE_MS), c);
    if (c.res.status >= FIRST_REFUSAL) await drain(c.req.raw);
    logReply(c);
  });
  app.onError(renderError);
  // Rendered here: what is thrown where nothing but the middleware matched would pass by its end.
  app.notFound(async (c) => {
    try {
      return refuseUnrouted(app, c);
    } catch (error) {
      return renderError(error, c);
    }
  });
  return app;
}
