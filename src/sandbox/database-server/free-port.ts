import { randomInt } from "node:crypto";
import { isTaken } from "../configuration.ts";

// Below those that systems give to outgoing connections, one of which would take it before its server does.
const LOWEST = 20_000;
const HIGHEST = 32_000;

/** A port that nothing listens on now. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST, HIGHEST);
    if (!(await isTaken(port, "127.0.0.1"))) return port;
  }
}
