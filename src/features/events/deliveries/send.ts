import type { Ctx } from "#core/context.ts";
import { logFault } from "#core/log.ts";
import { isAllowed, namesOf } from "#core/outside-address.ts";
import { askOutside, USER_AGENT } from "#core/outside-request.ts";
import { signWebhook } from "#core/secrets/webhook-signature.ts";
import { HOUR_MS } from "#shared/time/durations.ts";
import type { eventAttempts } from "#tables/events";
import type { AddressedEndpoint } from "../endpoints/addressed.ts";
import { signingSecrets } from "../endpoints/secret-kinds.ts";

const TIMEOUT_MS = 15_000;
const MOST_BYTES = 4_096;
const EXCERPT = 1_000;
const NAMES_COUNT_MS = HOUR_MS;
const BUSY = new Set([429, 503]);

/** What is sent with every request. */
export const FIXED_HEADERS = {
  "Content-Type": "application/json",
  "User-Agent": `CompanyOperations-Webhooks/1 ${USER_AGENT}`,
} as const;

type AttemptError = (typeof eventAttempts.error.enumValues)[number];

/** What became of one request; `status` is null where there was no answer, `error` where it was a success. */
export type Outcome = {
  status: number | null;
  error: AttemptError | null;
  durationMs: number;
  excerpt: string;
  retryAfterMs: number;
  /** When the endpoint's name was found to be public, where it was asked about. */
  checkedAt?: number;
};

type Request = { endpoint: AddressedEndpoint; id: string; body: string };

/** Sends one signed request to an endpoint, and waits for its answer. Never throws because of the receiver. */
export async function sendEvent(ctx: Ctx, { endpoint, id, body }: Request): Promise<Outcome> {
  if (!isAllowed(ctx, endpoint.url)) return unanswered("refused_address");
  const isStale = endpoint.checked_at <= ctx.now - NAMES_COUNT_MS;
  const names = isStale ? await namesOf(ctx, endpoint.url) : "public";
  if (names === "refused") return unanswered("refused_address");
  // A name that was public an hour ago is not given up because a resolver is away.
  if (names !== "public")
    logFault("endpoint_name", new Error("The resolver does not answer"), `endpoint ${endpoint.id}`);
  const signed = signWebhook(await signingSecrets(ctx, endpoint), {
    ...{ id, body },
    // The receiver's clock is the real one, not that of a sandbox's company.
    at: Math.floor((performance.timeOrigin + performance.now()) / 1_000),
  });
  const outcome = await post(endpoint.url, { ...FIXED_HEADERS, ...signed }, body);
  return isStale && names === "public" ? { ...outcome, checkedAt: ctx.now } : outcome;
}

async function post(url: string, headers: Record<string, string>, body: string): Promise<Outcome> {
  const startedAt = performance.now();
  const ended = () => Math.round(performance.now() - startedAt);
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const response = await askOutside(url, { method: "POST", headers, body, redirect: "manual", signal });
    const { status } = response;
    const excerpt = await excerptOf(response);
    return {
      status,
      error: errorOf(status),
      durationMs: ended(),
      excerpt,
      retryAfterMs: BUSY.has(status) ? secondsOf(response) * 1_000 : 0,
    };
  } catch (error) {
    const what = `${error}`;
    const failed = signal.aborted
      ? "timeout"
      : /\b(?:tls|ssl)\b|certificate/i.test(what)
        ? "tls"
        : "connection";
    return unanswered(failed, ended());
  }
}

function unanswered(error: AttemptError, durationMs = 0): Outcome {
  return { status: null, error, durationMs, excerpt: "", retryAfterMs: 0 };
}

function errorOf(status: number): AttemptError | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? "redirect" : "status";
}

function secondsOf({ headers }: Response): number {
  const seconds = Number(headers.get("Retry-After") ?? 0);
  return Number.isFinite(seconds) ? Math.max(0, seconds) : 0;
}

/** The beginning of an answer, without control characters; 4 kB are read of it at most, and what breaks off counts too. */
async function excerptOf(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  try {
    while (reader !== undefined && bytes < MOST_BYTES) {
      const { done, value } = await reader.read();
      if (done) break;
      bytes += value.length;
      text += decoder.decode(value, { stream: true });
    }
    await reader?.cancel();
  } catch {
    // The status has said it all.
  }
  return text
    .replace(/\p{Cc}/gu, "")
    .slice(0, EXCERPT)
    .toWellFormed();
}
