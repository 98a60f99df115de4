import { accepts } from "hono/accepts";
import { environmentOf } from "#api/environment.ts";
import { OWN_ADDRESS } from "#api/openapi/own-address.ts";
import { commonHeaders } from "#api/replies/replies.ts";
import { Problem } from "#shared/problem.ts";
import type { RequestContext } from "../request-state.ts";
import { LINKS } from "./discovery.ts";

const FIVE_MINUTES = "public, max-age=300";
// A version's fixes reach every page within a day; meanwhile no page waits for them.
const ONE_DAY = "public, max-age=86400, stale-while-revalidate=604800";
const FOR_GOOD = "public, max-age=31536000, immutable";
const DEMO_MS = 5_000;
// Where a guide has the API and the sandbox of `npm start`.
const WRITTEN_ADDRESS = /http:\/\/(localhost|127\.0\.0\.1):(8787|8788)\b/g;
// No part of it begins with a dot, and none is an escape.
const ASSET = /^(?:\/[\w-][\w.-]*)+\/?$/;
const MARKDOWN = { type: "text/markdown", end: ".md" };
const VERSIONED = /-\d+\.\d+\.\d+\.js$/;
// What was served of each API document last, made once: by its file, with the address that it names.
const served = new Map<string, { origin: string; bytes: Uint8Array }>();
// The page runs and asks only what this host serves; its styles are written by its script.
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

// Of a page that loads nothing and runs nothing.
const STILL_PAGE = {
  "Cache-Control": FIVE_MINUTES,
  "Content-Security-Policy":
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "Referrer-Policy": "no-referrer",
};

/** Serves an API document, which pages of any origin may read. Its servers are this host's. */
export async function serveApiDocument(c: RequestContext, file: string): Promise<Response> {
  const { origin } = environmentOf(c);
  const last = served.get(file);
  const bytes = last?.origin === origin ? last.bytes : await addressed(c, file, origin);
  served.set(file, { origin, bytes });
  return new Response(bytes, {
    headers: {
      ...(await commonHeaders(c)),
      "Content-Type": "application/json",
      "Cache-Control": FIVE_MINUTES,
      "Access-Control-Allow-Origin": "*",
    },
  });
}

async function addressed(c: RequestContext, file: string, origin: string): Promise<Uint8Array> {
  const answer = await serveAsset(c, file, {});
  // Without a PUBLIC_ORIGIN it is what the caller named as its host.
  const written = JSON.stringify(origin).slice(1, -1);
  return new TextEncoder().encode((await answer.text()).replaceAll(OWN_ADDRESS, () => written));
}

/** Serves a file of the reference page, or for an empty name the page. */
export function serveReference(c: RequestContext, file: string): Promise<Response> {
  return serveAsset(c, `/docs/${file}`, {
    "Cache-Control": VERSIONED.test(file) ? FOR_GOOD : FIVE_MINUTES,
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    ...(file === "" && LINKS),
  });
}

/**
 * Serves what a sandbox fills its reference page in with; elsewhere there is no such address. It holds keys, so the
 * headers name the page that asks, and the sandbox refuses all but its own.
 */
export async function serveDemo(c: RequestContext): Promise<Response> {
  const { SANDBOX: sandbox = "" } = c.env;
  if (!sandbox.startsWith("http")) throw new Problem("route_not_found");
  const headers = new Headers({ "X-Forwarded-Host": c.req.header("Host") ?? "" });
  for (const name of ["Origin", "Sec-Fetch-Site"]) {
    const value = c.req.header(name);
    if (value !== undefined) headers.set(name, value);
  }
  const signal = AbortSignal.timeout(DEMO_MS);
  const answer = await fetch(`${sandbox}/reference.json`, { headers, signal });
  if (!answer.ok) throw new Problem("route_not_found");
  const type = { "Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store" };
  return new Response(answer.body, { headers: { ...(await commonHeaders(c)), ...type } });
}

/**
 * Serves a guide or a page on a subject, with the addresses of this host in it: its Markdown where its address ends so, or
 * its client prefers that.
 */
export async function serveGuide(c: RequestContext, address: string): Promise<Response> {
  const isNamed = address.endsWith(MARKDOWN.end);
  const types = { supports: ["text/html", MARKDOWN.type], default: "text/html" };
  const type = isNamed ? MARKDOWN.type : accepts(c, { header: "Accept", ...types });
  const path = isNamed || type !== MARKDOWN.type ? address : address.replace(/\/$/, "/index") + MARKDOWN.end;
  const file = await serveAsset(c, path, {
    "Content-Type": `${type}; charset=utf-8`,
    ...(!isNamed && { Vary: "Accept" }),
    "Cache-Control": FIVE_MINUTES,
    "Content-Security-Policy": POLICY,
    "Referrer-Policy": "no-referrer",
  });
  const { origin } = environmentOf(c);
  const { SANDBOX: sandbox = "" } = c.env;
  return edited(file, (text) =>
    text.replaceAll(WRITTEN_ADDRESS, (address, host, port) => {
      if (port === "8787") return origin;
      return sandbox.startsWith("http") ? `http://${host}:${new URL(sandbox).port}` : address;
    }),
  );
}

/** Serves what programs read first, with this host's address in it. */
export async function serveLlms(c: RequestContext): Promise<Response> {
  const file = await serveAsset(c, "/llms.txt", {
    "Content-Type": "text/plain; charset=utf-8",
    "Cache-Control": FIVE_MINUTES,
  });
  return edited(file, (text) => text.replaceAll("{origin}", environmentOf(c).origin));
}

async function edited(file: Response, edit: (text: string) => string): Promise<Response> {
  return new Response(edit(await file.text()), { headers: file.headers });
}

/** Serves a small page of ours, which loads nothing and runs nothing. */
export async function servePage(
  c: RequestContext,
  page: string | Promise<string>,
  headers: Record<string, string> = {},
  status = 200,
): Promise<Response> {
  return new Response(await page, {
    status,
    headers: {
      ...(await commonHeaders(c)),
      "Content-Type": "text/html; charset=utf-8",
      ...STILL_PAGE,
      ...headers,
    },
  });
}

/** Serves the booking widget and its languages, which pages of any origin may load. */
export function serveWidget(c: RequestContext, file: string): Promise<Response> {
  return serveAsset(c, `/widget/v1/${file}`, {
    "Content-Type": "text/javascript; charset=utf-8",
    "Cache-Control": ONE_DAY,
    "Access-Control-Allow-Origin": "*",
    "Cross-Origin-Resource-Policy": "cross-origin",
  });
}

/** The file of the build at this path; undefined where there is none, as for a path that leaves its folder. */
export async function assetAt(c: RequestContext, path: string): Promise<Response | undefined> {
  const file = ASSET.test(path) ? await c.env.ASSETS?.fetch(new URL(path, c.req.url)) : undefined;
  return file?.ok ? file : undefined;
}

async function serveAsset(
  c: RequestContext,
  path: string,
  headers: Record<string, string>,
): Promise<Response> {
  const file = await assetAt(c, path);
  if (file === undefined) throw new Problem("route_not_found");
  const type = file.headers.get("Content-Type") ?? "application/octet-stream";
  return new Response(file.body, {
    headers: { ...(await commonHeaders(c)), "Content-Type": type, ...headers },
  });
}
