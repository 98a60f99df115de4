import type { Handler, Hono } from "hono";
import { Problem } from "#shared/problem.ts";
import type { App, RequestContext } from "./request-state.ts";

// The one middleware of app.ts matches every address.
const MIDDLEWARES = 1;
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** What no route took: 405 with `Allow` where the address answers another method, else 404. Always throws. */
export function refuseUnrouted(app: Hono<App>, c: RequestContext): never {
  const allowed = methodsAt(app, c);
  if (allowed.length === 0) throw new Problem("route_not_found");
  throw new Problem("method_not_allowed", { headers: { Allow: allowed.join(", ") } });
}

/** Answers OPTIONS with what `answer` gives for the methods of the address, OPTIONS included. */
export function forMethods(
  app: Hono<App>,
  answer: (c: RequestContext, methods: string) => Promise<Response>,
): Handler<App> {
  return (c) => answer(c, [...methodsAt(app, c), "OPTIONS"].join(", "));
}

/** The methods that the address answers, asked as the router asks: with its escapes resolved. */
function methodsAt(app: Hono<App>, c: RequestContext): string[] {
  return METHODS.filter((method) => app.router.match(method, c.req.path)[0].length > MIDDLEWARES);
}
