import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import type { Call } from "./plan.ts";

export type Recorder = { address: string; calls: Call[]; stop: () => void };

/** A proxy that passes all on to the host that a request names, and keeps what was asked. */
export async function startRecorder(): Promise<Recorder> {
  const calls: Call[] = [];
  const server = createServer((request, response) => {
    pass(request, response, calls).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `127.0.0.1:${port}`,
    calls,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function pass(request: IncomingMessage, response: ServerResponse, calls: Call[]): Promise<void> {
  const body = await Array.fromAsync(request).then((chunks) => Buffer.concat(chunks).toString());
  const { host = "", authorization = "" } = request.headers;
  const url = `http://${host}${request.url}`;
  calls.push({ url, authorization, body });
  const answer = await fetch(url, {
    method: request.method ?? "GET",
    headers: { Authorization: authorization, "Content-Type": "application/json" },
    body: body === "" ? null : body,
  });
  response.writeHead(answer.status, { "Content-Type": "application/json" });
  response.end(Buffer.from(await answer.arrayBuffer()));
}
