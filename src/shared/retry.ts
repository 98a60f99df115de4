import { Problem, type ProblemCode } from "./problem.ts";

/** Whole seconds, at least one, after which so many milliseconds have passed. */
export function wholeSeconds(waitMs: number): number {
  return Math.max(1, Math.ceil(waitMs / 1_000));
}

/** A problem that is worth another try, after the wait in `Retry-After`. */
export function retryLater(code: ProblemCode, waitMs: number): Problem {
  return new Problem(code, { headers: { "Retry-After": String(wholeSeconds(waitMs)) } });
}

/** A 429 that says when there is capacity again, as `Retry-After` and as `retry_after` in seconds. */
export function tooMany(code: ProblemCode, waitMs: number, message?: (seconds: number) => string): Problem {
  const seconds = wholeSeconds(waitMs);
  return new Problem(code, {
    ...(message === undefined ? {} : { message: message(seconds) }),
    members: { retry_after: seconds },
    headers: { "Retry-After": String(seconds) },
  });
}
