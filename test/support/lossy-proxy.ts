import { request as forward } from "node:http";
import { buffer } from "node:stream/consumers";
import { serveOwn } from "./own-server.ts";

/** What becomes of a request: it is not passed on, its answer is lost, or it is as it should be. */
export type Loss = "request" | "answer" | undefined;
export type LossyProxy = Awaited<ReturnType<typeof startLossyProxy>>;

/** A proxy in front of `target` (scheme, host and port) that loses what a test says, by ending the connection. */
export async function startLossyProxy(target: string) {
  let loses: (line: string) => Loss = () => undefined;
  const proxy = await serveOwn(async (request, response) => {
    const loss = loses(`${request.method} ${request.url}`);
    const body = await buffer(request);
    if (loss === "request") return request.socket.destroy();
    const { host } = new URL(target);
    const options = { method: request.method, headers: { ...request.headers, host } };
    const passed = forward(target + request.url, options, async (answer) => {
      const bytes = await buffer(answer);
      if (loss === "answer") return request.socket.destroy();
      response.writeHead(answer.statusCode ?? 502, answer.headers).end(bytes);
    });
    passed.on("error", () => request.socket.destroy());
    passed.end(body);
  });
  return {
    ...proxy,
    /** Asked for every request that arrives, with its method and path. */
    lose(next: typeof loses) {
      loses = next;
    },
  };
}
