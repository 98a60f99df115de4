const ATTEMPTS = 4;
const TIMEOUT_MS = 15_000;
const FIRST_PAUSE_S = 0.5;
const LONGEST_WAIT_S = 30;

type Query = Record<string, string>;
type Call = { signal: AbortSignal; body?: unknown; key?: string };

/** A call that did not succeed: `status` is 0 where no answer came, `fields` maps a field to what is wrong with it. */
export class Failure extends Error {
  readonly code: string;
  readonly status: number;
  readonly fields: Map<string, string>;
  /** What shows the puzzle that is asked for, or whose limit is reached. */
  more = "";

  constructor(code: string, message: string, status = 0, fields = new Map<string, string>()) {
    super(message);
    this.code = code;
    this.status = status;
    this.fields = fields;
  }

  /** Whether this or an earlier attempt may have written all the same; only the same Idempotency-Key can show it. */
  get leavesDoubt(): boolean {
    return this.status === 0 || this.status >= 500 || /^(rate_limited|idempotency)/.test(this.code);
  }
}

/** A client of one company's Bookings operations, which tries again where that can help. */
export class Client {
  readonly #base: string;
  readonly #school: string;
  readonly id: string;
  readonly #onWait: (seconds: number) => void;
  /** Gives the token that distinguishes this visitor from others behind the same address. */
  visitor = (): string => "";
  #wasAnswered = false;

  /** `onWait` hears how many seconds a busy API makes us wait, and 0 at their end. */
  constructor(base: string, company: string, clientId: string, onWait: (seconds: number) => void) {
    this.#base = base;
    this.#school = `${base.replace(/\/$/, "")}/schools/${encodeURIComponent(company)}`;
    this.id = clientId;
    this.#onWait = onWait;
  }

  get<Reply>(path: string, signal: AbortSignal, query: Query = {}): Promise<Reply> {
    return this.#call<Reply>(`${path}?${new URLSearchParams(query)}`, { signal });
  }

  /** Writes once, however often it has to be sent: `key` is its Idempotency-Key. */
  post<Reply>(path: string, signal: AbortSignal, body: unknown, key: string): Promise<Reply> {
    return this.#call<Reply>(path, { signal, body, key });
  }

  async #call<Reply>(path: string, call: Call): Promise<Reply> {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await this.#attempt(path, call);
      if (answer?.response.ok) return answer.json as Reply;
      if (!answer && attempt > 1 && (await this.#isRefused(call.signal))) {
        throw new Failure("origin_not_allowed", "", 403);
      }
      const wait = pauseAfter(answer?.response, attempt);
      if (attempt === ATTEMPTS || wait > LONGEST_WAIT_S) throw failureOf(answer);
      const isBusy = !!answer;
      if (isBusy) this.#onWait(Math.ceil(wait));
      await pause(wait, call.signal);
      if (isBusy) this.#onWait(0);
    }
  }

  /** The answer, or undefined where none came; throws once the caller has given up. */
  async #attempt(path: string, { signal, body, key }: Call) {
    const written = key && { "Idempotency-Key": key, "Content-Type": "application/json" };
    try {
      const response = await fetch(this.#school + path, {
        method: key ? "POST" : "GET",
        // Without a header, as the page's `<link rel=preload>` asks: so it takes that answer, and needs no preflight.
        headers: /client_id/.test(path)
          ? {}
          : { "X-Client-Id": this.id, "X-Visitor": this.visitor(), ...written },
        body: JSON.stringify(body),
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      });
      const json: unknown = await response.json();
      this.#wasAnswered = true;
      return { response, json };
    } catch {
      signal.throwIfAborted();
      return undefined;
    }
  }

  /** A refused origin looks like a dead line in browsers: the API is there, yet has never let us read an answer. */
  async #isRefused(signal: AbortSignal): Promise<boolean> {
    if (this.#wasAnswered) return false;
    try {
      await fetch(new URL("/health", this.#base), { mode: "no-cors", signal });
      return true;
    } catch {
      return false;
    }
  }
}

/** Resolves after so many seconds; rejects when the signal aborts. */
export function pause(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, seconds * 1_000);
    signal.addEventListener("abort", stop);
  });
}

/** Seconds until the next attempt; Infinity where another one would be refused just the same. */
function pauseAfter(response: Response | undefined, attempt: number): number {
  const backoff = FIRST_PAUSE_S * 2 ** (attempt - 1);
  const asked = response?.headers.get("Retry-After");
  if (asked != null) return Math.max(Number(asked), backoff);
  return !response || response.status >= 500 ? backoff : Infinity;
}

function failureOf(answer: { response: Response; json: unknown } | undefined): Failure {
  if (!answer) return new Failure("no_answer", "");
  const problem = answer.json as {
    code?: string;
    message?: string;
    errors?: { field: string; message: string }[];
    site_key?: string;
    limit?: string;
  };
  const fields = new Map((problem.errors ?? []).map(({ field, message }) => [field, message]));
  const failure = new Failure(problem.code ?? "", problem.message ?? "", answer.response.status, fields);
  failure.more = problem.site_key ?? problem.limit ?? "";
  return failure;
}
