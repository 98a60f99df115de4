import { once } from "node:events";
import { createServer, type RequestListener, type ServerOptions } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll } from "vitest";

/** A server at a port of its own, and its end. */
export async function serveOwn(answer: RequestListener, options: ServerOptions = {}) {
  const server = createServer(options, answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop };
}

/** One for all tests of a file; gives its address. */
export function useServer(answer: RequestListener): () => string {
  let own: Awaited<ReturnType<typeof serveOwn>>;
  beforeAll(async () => {
    own = await serveOwn(answer);
  });
  afterAll(() => own.stop());
  return () => own.url;
}
