import type { DatabaseRequest } from "./plain-request.ts";

/** What the client reads of an answer: one of the runtime, or a reply that is parsed already. */
type Answer = Response | { ok: true; status: 200; body: null; json: () => Promise<Reply> };
export type Send = (request: DatabaseRequest) => Promise<Answer>;
/** A stream that the server keeps open under a name which changes with each use; times in ms of `performance.now`. */
type Stream = { address: string; baton: string; leftAt: number; usedAt: number };
type Reply = { baton: string | null; results: unknown[] };

// How the client begins a batch. No text holds this: JSON escapes the quotes inside one.
const BATCH = /"sql":"BEGIN (?:TRANSACTION READONLY|IMMEDIATE)"/;
const CLOSE = '{"type":"close"}';
const BEGINNING = '{"requests":[';
const END = `,${CLOSE}]}`;
const CLOSED = { type: "ok", response: { type: "close" } };

/** A company that is asked less often than this is not worth a connection. */
const OFTEN_MS = 1_000;
/** Old streams are left, so that none outlives for long the database that it was opened on; not all in one moment. */
const OLDEST_MS = 8_000;
/** How long sqld keeps an unused stream (libsql-server, hrana/http/stream.rs). */
const EXPIRY_MS = 10_000;
const MOST_KEPT = 128;

/** The streams that an isolate keeps open: free ones, and those that were left and that the server still holds. */
export class KeptStreams {
  readonly #most: number;
  #kept: Stream[] = [];
  #used = 0;

  constructor(most = MOST_KEPT) {
    this.#most = most;
  }

  /**
   * Sends the batches of one client over streams that stay open. sqld opens a connection for each stream and parses the
   * whole schema for it, which costs several times what most batches do. What is no batch is sent as it is.
   */
  forBatches(address: string, send: Send): Send {
    let askedAt = Number.NEGATIVE_INFINITY;
    return async (request) => {
      if (request.method !== "POST") return send(request);
      const text = await request.text();
      if (!BATCH.test(text) || !text.startsWith(BEGINNING) || !text.endsWith(END))
        return send(withBody(request, text));
      const isOften = performance.now() - askedAt < OFTEN_MS;
      askedAt = performance.now();
      const stream = this.#take(address);
      if (stream === undefined && !(isOften && this.#hasCapacity())) return send(withBody(request, text));
      const leftAt = askedAt + OLDEST_MS * (0.5 + Math.random() / 2);
      return this.#ask(request, text, send, stream ?? { address, baton: "", leftAt, usedAt: askedAt });
    };
  }

  #hasCapacity(): boolean {
    const oldest = performance.now() - EXPIRY_MS;
    this.#kept = this.#kept.filter(({ usedAt }) => usedAt > oldest);
    return this.#kept.length + this.#used < this.#most;
  }

  #take(address: string): Stream | undefined {
    const now = performance.now();
    const index = this.#kept.findLastIndex((one) => one.address === address && one.leftAt > now);
    return index < 0 ? undefined : this.#kept.splice(index, 1)[0];
  }

  async #ask(request: DatabaseRequest, text: string, send: Send, stream: Stream): Promise<Answer> {
    this.#used += 1;
    try {
      const response = await send(withBody(request, onStream(text, stream.baton)));
      // It has expired, or the server was started anew: nothing was run.
      if (response.status === 400 && stream.baton !== "") return await send(withBody(request, text));
      if (!response.ok) return response;
      const reply = (await response.json()) as Reply;
      const usedAt = performance.now();
      if (reply.baton !== null) this.#kept.push({ ...stream, baton: reply.baton, usedAt });
      return answer(reply, storedTexts(text));
    } finally {
      this.#used -= 1;
    }
  }
}

function withBody({ url, method, headers }: DatabaseRequest, body: string): DatabaseRequest {
  return { url, method, headers, text: () => Promise.resolve(body) };
}

/** The same requests on a stream that stays open: in place of it, the texts that were stored on it are closed. */
function onStream(text: string, baton: string): string {
  const closings = Array.from(
    { length: storedTexts(text) },
    (_, id) => `,{"type":"close_sql","sql_id":${id}}`,
  );
  const name = baton === "" ? "" : `"baton":${JSON.stringify(baton)},`;
  return `{${name}${text.slice(1, -END.length)}${closings.join("")}]}`;
}

// No text holds this: JSON escapes the quotes inside one.
function storedTexts(text: string): number {
  return text.split('{"type":"store_sql"').length - 1;
}

/** What the client waits for: that its stream is closed. */
function answer({ results }: Reply, closings: number): Answer {
  const reply = { baton: null, results: [...results.slice(0, results.length - closings), CLOSED] };
  return { ok: true, status: 200, body: null, json: () => Promise.resolve(reply) };
}
