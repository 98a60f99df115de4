import { createServer, request as forward, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** What becomes of a request: it is not passed on, its answer is lost, or it is as it should be. */
export type Loss = "request" | "answer" | undefined;
export type LossyProxy = {
  url: string;
  /** Asked for every request that arrives, with its method and path. */
  lose: (loses: (line: string) => Loss) => void;
  stop: () => Promise<void>;
};

/** A proxy in front of `target` (scheme, host and port) that loses what a test says, by ending the connection. */
export async function startLossyProxy(target: string): Promise<LossyProxy> {
  let loses: (line: string) => Loss = () => undefined;
  const server = createServer(async (request, response) => {
    const loss = loses(`${request.method} ${request.url}`);
    const body = await bytesOf(request);
    if (loss === "request") return request.socket.destroy();
    const { host } = new URL(target);
    const options = { method: request.method, headers: { ...request.headers, host } };
    const passed = forward(target + request.url, options, async (answer) => {
      const bytes = await bytesOf(answer);
      if (loss === "answer") return request.socket.destroy();
      response.writeHead(answer.statusCode ?? 502, answer.headers).end(bytes);
    });
    passed.on("error", () => request.socket.destroy());
    passed.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lose(next) {
      loses = next;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function bytesOf(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
