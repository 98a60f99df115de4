import type { Handler, Hono } from "hono";
import type { Operation } from "#api/operations/operation.ts";
import { Problem } from "#shared/problem.ts";
import type { App, RequestContext } from "./request-state.ts";

// The one middleware of areas.ts matches every address.
const MIDDLEWARES = 1;
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];
const operations = new WeakMap<object, Operation>();

/** Says which operation the first handler of a chain begins. */
export function beginsOperation<Begin extends Handler<App>>(handler: Begin, operation: Operation): Begin {
  operations.set(handler, operation);
  return handler;
}

/**
 * What no route took: 405 with `Allow` where the address answers another method, else 404 that names the nearest address
 * there is. Always throws.
 */
export async function refuseUnrouted(
  app: Hono<App>,
  c: RequestContext,
  nearest: (c: RequestContext) => Promise<string | undefined> = async () => undefined,
): Promise<never> {
  refuseMethod(app, c);
  const address = await nearest(c);
  const help = address === undefined ? "/docs lists all of them" : `the nearest is ${address}`;
  throw new Problem("route_not_found", { message: `There is no such address: ${help}` });
}

/** Throws 405 with `Allow` where the address answers another method. */
export function refuseMethod(app: Hono<App>, c: RequestContext): void {
  const allowed = methodsAt(app, c).filter((method) => mayAnswer(app, c, method));
  if (allowed.length === 0) return;
  const methods = allowed.join(", ");
  throw new Problem("method_not_allowed", {
    message: `The address answers ${methods}, not ${c.req.method}`,
    headers: { Allow: methods },
  });
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

/** Whether the operation that a method leads to is built, and takes what stands in the path: `units` is no product's id. */
function mayAnswer(app: Hono<App>, c: RequestContext, method: string): boolean {
  const [matched, values] = app.router.match(method, c.req.path);
  for (const [[handler], found] of matched) {
    const operation = operations.get(handler);
    if (operation === undefined) continue;
    const entries = Object.entries(found).map(([name, at]) => [name, String(values?.[Number(at)] ?? at)]);
    const { params, planned } = operation;
    return (
      planned !== true && (params === undefined || params.safeParse(Object.fromEntries(entries)).success)
    );
  }
  return true;
}
