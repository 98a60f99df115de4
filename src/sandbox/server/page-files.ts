import { readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { extname, join } from "node:path";
import type { Handler } from "hono";

const TYPES: Record<string, string> = { html: "text/html", css: "text/css", js: "text/javascript" };
// Pages may frame mail that others wrote; that frame may run nothing and load nothing but pictures.
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; img-src * data:; frame-src 'self'";

/** Serves a file of a site. Read each time, so that who changes the site sees it at once. */
export function siteFile(folder: string, file: string): Handler {
  const type = `${TYPES[extname(file).slice(1)]}; charset=utf-8`;
  return (c) => c.body(readFileSync(join(folder, file)), 200, { "Content-Type": type });
}

/** Answers with a file of a page's folder: its `index.html` where none is named. Read each time, so changes show. */
export function sendPageFile(response: ServerResponse, folder: string, name: string | undefined): void {
  const [file, extension = ""] = /^[a-z]+\.(html|css|js)$/.exec(name || "index.html") ?? [];
  const type = TYPES[extension];
  if (file === undefined || type === undefined) {
    sendJson(response, 404, { message: "Nothing is here" });
    return;
  }
  const headers = { "Content-Type": `${type}; charset=utf-8`, "Content-Security-Policy": POLICY };
  response.writeHead(200, headers).end(readFileSync(join(folder, file)));
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
}
