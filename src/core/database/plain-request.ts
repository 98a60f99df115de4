/** What is asked of a database over HTTP: a request of the runtime, or one that is no more than its text. */
export type DatabaseRequest = {
  url: string;
  method: string;
  headers: Iterable<[string, string]>;
  text: () => Promise<string>;
};

/** The headers that the client of libSQL sets. */
export class PlainHeaders extends Map<string, string> {}

/**
 * The request that the client of libSQL makes in the Worker, where the build puts it in place of the runtime's: that one
 * keeps its body as a stream, which outlives its call until a collection of the whole heap stops all calls.
 */
export class PlainRequest implements DatabaseRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Iterable<[string, string]>;
  readonly #body: string;

  constructor(
    url: string,
    { method, headers, body }: { method: string; headers: PlainHeaders; body: string },
  ) {
    this.url = url;
    this.method = method;
    this.headers = headers;
    this.#body = body;
  }

  text(): Promise<string> {
    return Promise.resolve(this.#body);
  }
}
