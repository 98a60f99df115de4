import { type Client, createClient } from "@libsql/client/web";
import { exchange } from "../http.ts";

/** A stream that sqld keeps open under a name, which changes with each use. */
type Stream = { baton: string; usedAt: number };
type Reply = { baton: string | null; results: unknown[] };

const CLOSE = ',{"type":"close"}]}';
// What leaves nothing behind on its connection: no text holds this, for JSON escapes the quotes inside one.
const LEAVES_NOTHING =
  /^\{"requests":\[(?:\{"type":"store_sql".*)?\{"type":"(?:batch|execute","stmt":\{"sql":"\s*(?:select|insert|replace|update|delete|with)\b)/is;
/** sqld closes one after ten seconds. */
const EXPIRY_MS = 9_000;

const clients = new Map<string, Client>();

/**
 * The client that all tests of a worker have for one database. It keeps a stream open between statements: sqld parses
 * the whole schema for each new one, which costs more than most statements.
 */
export function keptClient(url: string, authToken: string): Client {
  const known = clients.get(url);
  if (known !== undefined && !known.closed) return known;
  const client = createClient({ url, authToken, fetch: overKeptStream() });
  clients.set(url, client);
  return client;
}

function overKeptStream(): (request: Request) => Promise<Response> {
  let kept: Stream | undefined;
  return async (request) => {
    if (request.method !== "POST") return fetch(request);
    const { url, headers } = request;
    const text = await request.text();
    const post = async (body: string) => {
      const sent = { method: "POST", headers: Object.fromEntries(headers), body };
      const { incoming, bytes } = await exchange(url, sent);
      const type = incoming.headers["content-type"] ?? "";
      return new Response(bytes, { status: incoming.statusCode ?? 0, headers: { "content-type": type } });
    };
    if (!LEAVES_NOTHING.test(text) || !text.endsWith(CLOSE)) return post(text);
    const stream = kept !== undefined && performance.now() - kept.usedAt < EXPIRY_MS ? kept : undefined;
    kept = undefined;
    const named = stream === undefined ? "" : `"baton":${JSON.stringify(stream.baton)},`;
    const response = await post(`{${named}${text.slice(1, -CLOSE.length)}${closings(text)}]}`);
    // The server was started anew: nothing was run.
    if (response.status === 400 && stream !== undefined) return post(text);
    if (!response.ok) return response;
    const { baton, results } = (await response.json()) as Reply;
    if (baton !== null) kept = { baton, usedAt: performance.now() };
    const asked = results.slice(0, results.length - storedTexts(text));
    return Response.json({ baton: null, results: [...asked, { type: "ok", response: { type: "close" } }] });
  };
}

/** The texts that were stored on the stream are closed, for the next batch stores its own. */
function closings(text: string): string {
  return Array.from({ length: storedTexts(text) }, (_, id) => `,{"type":"close_sql","sql_id":${id}}`).join(
    "",
  );
}

function storedTexts(text: string): number {
  return text.split('{"type":"store_sql"').length - 1;
}
