import { randomInt } from "node:crypto";
import { createServer } from "node:net";

const HOST = "127.0.0.1";
// Below those that systems give to outgoing connections, one of which would take it before its server does.
const LOWEST = 20_000;
const HIGHEST = 32_000;

/** A port that nothing listens on now. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST, HIGHEST);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().once("error", () => resolve(false));
    server.listen(port, HOST, () => server.close(() => resolve(true)));
  });
}
