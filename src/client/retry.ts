import { NoAnswerError } from "./errors.ts";

const ATTEMPTS = 5;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8_000;

type Send = (request: Request) => Promise<Response>;

/**
 * Sends a request, five times at most, until an answer is worth giving back or `timeLimit` milliseconds are over. A write is sent again only
 * where the API knows it by its `Idempotency-Key`, or has said that it did nothing.
 */
export function sendAgain(send: Send, timeLimit: number): Send {
  return async (first) => {
    const request = withKey(first);
    const end = Date.now() + timeLimit;
    const signal = AbortSignal.any([request.signal, AbortSignal.timeout(timeLimit)]);
    for (let attempt = 1; ; attempt += 1) {
      const isLast = (wait: number) => attempt === ATTEMPTS || Date.now() + wait >= end;
      const outcome = await attemptOnce(send, request, signal);
      const wait = pauseMs(attempt, outcome);
      if (outcome instanceof Response) {
        if (isLast(wait) || !(await isWorthAnother(request, outcome))) return outcome;
        await outcome.body?.cancel();
      } else {
        request.signal.throwIfAborted();
        if (isLast(wait) || !isRepeatable(request)) throw new NoAnswerError(outcome, keyOf(request));
      }
      await pause(wait, signal);
    }
  };
}

/** The answer, or why none came. */
async function attemptOnce(send: Send, request: Request, signal: AbortSignal): Promise<unknown> {
  try {
    return await send(new Request(request.clone(), { signal }));
  } catch (error) {
    return error;
  }
}

/** A write has the key of its caller, or a new one. */
function withKey(request: Request): Request {
  if (isRead(request) || request.headers.has("Idempotency-Key")) return request;
  const headers = new Headers(request.headers);
  headers.set("Idempotency-Key", crypto.randomUUID());
  return new Request(request, { headers });
}

async function isWorthAnother(request: Request, response: Response): Promise<boolean> {
  const { status } = response;
  if (status === 429) return true;
  if (status === 409) return (await codeOf(response)) === "idempotency_key_in_use";
  if (status !== 503) return false;
  return isRepeatable(request) || (await codeOf(response)) !== "outcome_unknown";
}

async function codeOf(response: Response): Promise<unknown> {
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  return (body as { code?: unknown } | null)?.code;
}

/** Milliseconds until the next attempt: what the answer asks for, else longer each time and never the same for two clients. */
function pauseMs(attempt: number, outcome: unknown): number {
  const asked = outcome instanceof Response ? Number(outcome.headers.get("Retry-After") ?? 0) * 1_000 : 0;
  if (asked > 0) return asked;
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2);
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal.addEventListener("abort", stop);
  });
}

function isRead({ method }: Request): boolean {
  return method === "GET" || method === "HEAD";
}

// A checkout ignores the key: each one that comes is another order.
const IGNORES_KEYS = /\/storefront\/[^/]+\/checkout$/;

function isRepeatable(request: Request): boolean {
  return isRead(request) || !IGNORES_KEYS.test(new URL(request.url).pathname);
}

function keyOf(request: Request): string | null {
  return isRepeatable(request) ? request.headers.get("Idempotency-Key") : null;
}
