import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";

/** A part of the sandbox, written as a Worker is: a request in, a response out. */
export type Fetch = (request: Request) => Response | Promise<Response>;

/** Lets Node's HTTP server answer with a `fetch`. */
export function nodeHandler(fetch: Fetch) {
  return async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const { method = "GET", url, headers } = incoming;
    const body = await buffer(incoming);
    const request = new Request(`http://${headers.host}${url}`, {
      method,
      headers: Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
      ...(body.length > 0 && { body }),
    });
    const response = await fetch(request);
    outgoing.writeHead(response.status, [...response.headers].flat());
    outgoing.end(Buffer.from(await response.arrayBuffer()));
  };
}

/** Serves a `fetch` on a port of 127.0.0.1, a free one for 0. */
export async function serve(fetch: Fetch, port: number): Promise<Server> {
  const answer = nodeHandler(fetch);
  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch((error) => {
      console.error(error);
      outgoing.destroy();
    });
  });
  await once(server.listen(port, "127.0.0.1"), "listening");
  return server;
}
