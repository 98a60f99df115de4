import { readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";

const TYPES: Record<string, string> = { html: "text/html", css: "text/css", js: "text/javascript" };
// Pages may frame mail that others wrote; that frame may run nothing and load nothing but pictures.
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; img-src * data:; frame-src 'self'";

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
