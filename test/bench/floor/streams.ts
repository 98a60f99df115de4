type Cell = { value?: unknown };
type Result = {
  rows?: Cell[][];
  step_results?: ({ rows: Cell[][] } | null)[];
  step_errors?: (object | null)[];
};
type Reply = { baton: string | null; results: { type: string; response?: { result?: Result } }[] };
/** What the database gave: the rows of all statements, and why one of them failed. */
export type Answer = { rows: Cell[][]; failed: string | null };

/** Streams of one database that stay open, each under a name that changes with its use. */
export class Streams {
  readonly #url: string;
  readonly #headers: Record<string, string>;
  readonly #batons: string[] = [];

  constructor(url: string, token: string) {
    this.#url = `${url}v2/pipeline`;
    this.#headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  }

  /** Sends requests, as the protocol's JSON, on a free stream or a new one. */
  async ask(requests: readonly string[]): Promise<Answer> {
    const baton = this.#batons.pop();
    const text = `"requests":[${requests.join(",")}]}`;
    const named =
      baton === undefined ? undefined : await this.#send(`{"baton":${JSON.stringify(baton)},${text}`);
    // A stream that was not used for ten seconds is closed by the server: nothing was run.
    const response = named?.ok ? named : await this.#send(`{${text}`);
    if (!response.ok) return { rows: [], failed: await response.text() };
    const reply = (await response.json()) as Reply;
    if (reply.baton !== null) this.#batons.push(reply.baton);
    return answerOf(reply);
  }

  #send(body: string): Promise<Response> {
    return fetch(this.#url, { method: "POST", headers: this.#headers, body });
  }
}

function answerOf({ results }: Reply): Answer {
  const rows: Cell[][] = [];
  let failed: string | null = null;
  for (const { type, response } of results) {
    const { rows: own = [], step_results: steps = [], step_errors: errors = [] } = response?.result ?? {};
    const error = errors.find((one) => one !== null);
    if (type !== "ok" || error !== undefined) failed ??= JSON.stringify(error ?? type);
    rows.push(...own, ...steps.flatMap((step) => step?.rows ?? []));
  }
  return { rows, failed };
}
