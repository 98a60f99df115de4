import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Recorder = { address: string; bodies: string[]; stop: () => void };

/** A proxy that passes all on to the host that a request names, and keeps the bodies of database requests. */
export async function startRecorder(): Promise<Recorder> {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    pass(request, response, bodies).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `127.0.0.1:${port}`,
    bodies,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function pass(request: IncomingMessage, response: ServerResponse, bodies: string[]): Promise<void> {
  const body = await Array.fromAsync(request).then((chunks) => Buffer.concat(chunks).toString());
  if (request.url?.endsWith("/pipeline")) bodies.push(body);
  const { host = "", authorization = "" } = request.headers;
  const answer = await fetch(`http://${host}${request.url}`, {
    method: request.method ?? "GET",
    headers: { Authorization: authorization, "Content-Type": "application/json" },
    body: body === "" ? null : body,
  });
  response.writeHead(answer.status, { "Content-Type": "application/json" });
  response.end(Buffer.from(await answer.arrayBuffer()));
}
