import type { IncomingMessage, ServerResponse } from "node:http";

const BODY_LIMIT = 10 * 1024 * 1024;

/** Thrown by a handler to answer a status with a body of its own. */
export class HttpRefusal extends Error {
  readonly status: number;
  readonly body: object;

  constructor(status: number, body: object) {
    super(`HTTP ${status}`);
    this.status = status;
    this.body = body;
  }
}

/** Reads a request's body as text, up to 10 MB. */
export function readBody(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on("data", (chunk: Buffer) => {
      length += chunk.length;
      if (length <= BODY_LIMIT) chunks.push(chunk);
    });
    request.on("end", () => {
      if (length > BODY_LIMIT) reject(new HttpRefusal(413, { error: "The body is larger than 10 MB" }));
      else resolve(Buffer.concat(chunks, length).toString());
    });
    request.on("error", reject);
  });
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new HttpRefusal(400, { error: "The body is not JSON" });
  }
}

export function sendJson(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
  });
  response.end(text);
}

export function sendText(response: ServerResponse, text: string): void {
  response.writeHead(200, { "content-type": "text/plain", "content-length": Buffer.byteLength(text) });
  response.end(text);
}

/** Refuses a request that does not carry the token. */
export function requireToken(request: IncomingMessage, token: string): void {
  if ([`Bearer ${token}`, `Basic ${token}`].includes(request.headers.authorization ?? "")) return;
  throw new HttpRefusal(401, { error: "Unauthorized: the token is missing or wrong" });
}

/** The path of a request, without its query. */
export function pathOf(request: IncomingMessage): string {
  return (request.url ?? "/").split("?", 1)[0] ?? "/";
}
