import { Problem } from "#shared/problem.ts";
import { commonHeaders } from "./replies.ts";
import type { RequestContext } from "./state.ts";

/** Serves a file built beside the Worker (the API document, the reference page), cached for five minutes. */
export async function serveDocument(c: RequestContext, path: string): Promise<Response> {
  if (c.env.ASSETS === undefined) throw new Problem("route_not_found");
  const file = await c.env.ASSETS.fetch(new URL(path, c.req.url));
  if (!file.ok) throw new Problem("route_not_found");
  const headers = {
    ...(await commonHeaders(c)),
    "Content-Type": file.headers.get("Content-Type") ?? "application/octet-stream",
    "Cache-Control": "public, max-age=300",
    "Access-Control-Allow-Origin": "*",
  };
  return new Response(file.body, { headers });
}
