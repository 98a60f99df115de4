import { type Client, createClient } from "@libsql/client/http";
import { KeptStreams, type Send } from "./kept-streams.ts";

/** A database's address, ending in a slash or not, and the token that opens it. */
export type DatabaseAddress = { url: string; token: string };

/** How long one request to a database may take. */
export const ATTEMPT_MS = 8_000;
const MOST_CLIENTS = 500;
const MOST_USES = 2_000;

/** A client of one database whose requests end after so many milliseconds, and go out by `via`. */
export function openClient(
  address: DatabaseAddress,
  timeoutMs: number,
  via: (send: Send) => Send = (send) => send,
): Client {
  return createClient({
    url: address.url.replace(/\/?$/, "/"),
    authToken: address.token,
    // Its limiter counts the calls that are under way, and the call of an aborted request never ends.
    concurrency: Number.POSITIVE_INFINITY,
    fetch: via(async (request) => {
      const { url, method, headers } = request;
      const body = method === "POST" ? await request.text() : null;
      return fetch(url, { method, headers: [...headers], body, signal: AbortSignal.timeout(timeoutMs) });
    }),
  });
}

function nameOf({ url, token }: DatabaseAddress): string {
  return `${url} ${token}`;
}

/** The clients that an isolate keeps, one for each address and token; the least recently used goes when they are too many. */
export class Clients {
  readonly #open: (address: DatabaseAddress) => Client;
  readonly #kept = new Map<string, { client: Client; uses: number }>();

  constructor(open: (address: DatabaseAddress) => Client) {
    this.#open = open;
  }

  get size(): number {
    return this.#kept.size;
  }

  /** The client of this address. Each aborted request leaves a little in it, so it is replaced after many uses. */
  of(address: DatabaseAddress): Client {
    const name = nameOf(address);
    const known = this.#kept.get(name);
    const entry =
      known === undefined || known.uses === MOST_USES ? { client: this.#open(address), uses: 0 } : known;
    entry.uses += 1;
    this.#kept.delete(name);
    this.#kept.set(name, entry);
    const oldest = this.#kept.keys().next();
    if (this.#kept.size > MOST_CLIENTS && !oldest.done) this.#kept.delete(oldest.value);
    return entry.client;
  }
}

const streams = new KeptStreams();
// Turso keeps connections of its own.
const kept = new Clients((address) =>
  openClient(address, ATTEMPT_MS, (send) =>
    address.url.startsWith("libsql:") ? send : streams.forBatches(nameOf(address), send),
  ),
);

/** The isolate's own client of a database. */
export function clientOf(address: DatabaseAddress): Client {
  return kept.of(address);
}
