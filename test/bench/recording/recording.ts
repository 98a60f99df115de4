// Runs in workerd around the production bundle: keeps what the Worker sends over `fetch`, until it is asked for.

/** A request that the Worker sent. */
export type Sent = { url: string; authorization: string; body: string };
type Handlers = {
  fetch: (request: Request, env: never, execution: ExecutionContext) => Promise<Response>;
};

/** A GET there gives what was sent since the last one, and forgets it. */
export const SENT = "/test/sent";

let sent: Sent[] = [];

/** The Worker whose requests are kept. */
export function recording<Worker extends Handlers>(worker: Worker): Worker {
  const ask = globalThis.fetch;
  globalThis.fetch = (async (input: RequestInfo, init?: RequestInit) => {
    const request = new Request(input, init);
    const { url, headers } = request;
    const body = await request.clone().text();
    sent.push({ url, authorization: headers.get("Authorization") ?? "", body });
    return ask(request);
  }) as typeof fetch;
  return {
    ...worker,
    async fetch(request: Request, env: never, execution: ExecutionContext) {
      if (new URL(request.url).pathname !== SENT) return worker.fetch(request, env, execution);
      const all = sent;
      sent = [];
      return Response.json(all);
    },
  };
}
