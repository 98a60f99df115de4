import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { StartError } from "./configuration.ts";

/** The service answered no: what was asked for is not to be had with this key. */
export class Refused extends StartError {}

/** What is there is another than what was asked for. */
export class Conflict extends StartError {}

const REFUSALS = [401, 403, 404];

/** The key's calls of this minute are spent, as where another client uses it all the time. */
class Spent extends Error {}

/** A reply with one record, or with several. */
export type Data<Record> = { data: Record };

export type Key = { client_id: string; client_secret: string };

// Longer than the Worker remembers where a company's database was.
const PATIENCE = { attempts: 25, pauseMs: 500 };

/** A client of the API, with no rights but those of its headers. */
export class Api {
  readonly #origin: string;
  readonly #headers: Record<string, string>;

  readonly #patience: typeof PATIENCE;

  constructor(origin: string, headers: Record<string, string>, patience = PATIENCE) {
    this.#origin = origin;
    this.#headers = { "Content-Type": "application/json", ...headers };
    this.#patience = patience;
  }

  /** A client that signs with a secret key. */
  signedBy(key: Key): Api {
    return new Api(`${this.#origin}/v1`, {
      "X-Client-Id": key.client_id,
      "X-Client-Secret": key.client_secret,
    });
  }

  /** Reads, however often it has to be asked while the service comes up. */
  get<Reply>(path: string): Promise<Reply> {
    return this.#insist(() => this.#call("GET", path));
  }

  /** Writes once, however often it has to be sent until an answer comes back. */
  post<Reply>(path: string, body: object = {}): Promise<Reply> {
    return this.create(path, randomUUID(), body);
  }

  patch<Reply>(path: string, body: object): Promise<Reply> {
    return this.#write("PATCH", path, randomUUID(), body);
  }

  /** The same under a key of the caller's, who may have to write it again after a crash. */
  create<Reply>(path: string, idempotencyKey: string, body: object): Promise<Reply> {
    return this.#write("POST", path, idempotencyKey, body);
  }

  #write<Reply>(method: string, path: string, idempotencyKey: string, body: object): Promise<Reply> {
    const headers = { "Idempotency-Key": idempotencyKey };
    return this.#insist(() => this.#call(method, path, { body: JSON.stringify(body), headers }));
  }

  async #insist<Reply>(call: () => Promise<Reply>): Promise<Reply> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await call();
      } catch (error) {
        if (error instanceof StartError) throw error;
        if (attempt === this.#patience.attempts)
          throw error instanceof Spent ? new Refused(error.message) : error;
        await sleep(this.#patience.pauseMs);
      }
    }
  }

  async #call<Reply>(
    method: string,
    path: string,
    { headers, ...request }: { body?: string; headers?: Record<string, string> } = {},
  ): Promise<Reply> {
    const response = await fetch(this.#origin + path, {
      method,
      headers: { ...this.#headers, ...headers },
      ...request,
    });
    const text = await response.text();
    if (response.ok) return JSON.parse(text);
    const problem = `${method} ${path} answered ${response.status}: ${text}`;
    if (REFUSALS.includes(response.status)) throw new Refused(problem);
    if (response.status === 409) throw new Conflict(problem);
    if (response.status === 429) throw new Spent(problem);
    const mayPass = response.status === 503 || response.headers.has("Retry-After");
    throw mayPass ? new Error(problem) : new StartError(problem);
  }
}
