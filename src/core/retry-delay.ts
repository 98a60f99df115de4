const FIRST_SECONDS = 10;
const MOST_SECONDS = 3_600;
const JITTER = 0.2;

/**
 * Seconds to wait after the `attempt`-th try (from 1): 10, 20, 40 ... an hour at most, give or take a fifth by `random`
 * (0 to 1), and no sooner than an outside service asks for.
 */
export function retryDelay(attempt: number, random: number, retryAfter = 0): number {
  const seconds = Math.min(MOST_SECONDS, FIRST_SECONDS * 2 ** Math.min(attempt - 1, 20));
  const jittered = seconds * (1 + JITTER * (2 * random - 1));
  return Math.ceil(Math.max(jittered, Math.min(retryAfter, MOST_SECONDS)));
}
