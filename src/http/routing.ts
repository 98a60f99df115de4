import type { Hono } from "hono";
import { Problem } from "#shared/problem.ts";
import type { App, RequestContext } from "./state.ts";

// The one middleware of app.ts matches every address.
const MIDDLEWARES = 1;
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** What no route took: 405 with `Allow` where the address answers another method, else 404. Always throws. */
export function refuseUnrouted(app: Hono<App>, c: RequestContext): never {
  const path = new URL(c.req.url).pathname;
  const allowed = METHODS.filter((method) => app.router.match(method, path)[0].length > MIDDLEWARES);
  if (allowed.length === 0) throw new Problem("route_not_found");
  throw new Problem("method_not_allowed", { headers: { Allow: allowed.join(", ") } });
}
