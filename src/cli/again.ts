import { Failure } from "./failure.ts";

const PAUSES_MS = [1_000, 2_000, 4_000];
const PATIENCE_MS = 15_000;

/**
 * Does work that may be done again, while it ends in a Failure that is not final, such as while a server starts anew: once
 * more whatever it took, and up to three times in its first 15 seconds.
 */
export async function again<Result>(work: () => Promise<Result>): Promise<Result> {
  const begun = Date.now();
  for (let failures = 0; ; failures += 1) {
    try {
      return await work();
    } catch (error) {
      const pause = PAUSES_MS[failures];
      const isOver = pause === undefined || (failures > 0 && Date.now() - begun > PATIENCE_MS);
      if (!(error instanceof Failure) || error.isFinal || isOver) throw error;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}
