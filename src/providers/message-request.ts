import { logFault } from "#core/log.ts";
import { askOutside } from "#core/outside-request.ts";
import { refused, type SendResult } from "#providers/delivery";
import { parsed } from "#shared/json.ts";
import { at } from "./json.ts";

/** A reply that was read whole; `json` is undefined where it is none. */
export type Reply = { status: number; json: unknown };
type Request = { url: string; headers?: Record<string, string>; body?: object | URLSearchParams };

const TIMEOUT_MS = 10_000;
const MOST_BYTES = 64 * 1024;
// RFC 6585, section 4: a request too many. Exotel, MSG91, Twilio, Meta, Resend and Postmark each document it as a refusal.
const TOO_MANY = 429;
// Answers of a proxy in between, or of a server that failed half-way: the message may have been sent.
const INCOMPLETE = new Set([408, 425]);

/**
 * Asks a provider, for 10 seconds at most, and lets `read` judge its reply. What `read` leaves undefined is judged by
 * its status: only 429 is a refusal to be tried again. A request that got no reply has an unknown outcome, unless it
 * never left.
 */
export async function ask(
  request: Request,
  read: (reply: Reply) => SendResult | undefined,
): Promise<SendResult> {
  const { url, headers = {}, body } = request;
  const form = body instanceof URLSearchParams;
  try {
    const response = await askOutside(url, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        "Content-Type": form ? "application/x-www-form-urlencoded" : "application/json",
        Accept: "application/json",
        ...headers,
      },
      body: form ? body.toString() : JSON.stringify(body),
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    logBadAnswer(url, response.status);
    const reply = { status: response.status, json: parsed(await textOf(response)) };
    return read(reply) ?? judge(reply, response.headers.get("Retry-After"));
  } catch (error) {
    return neverLeft(error) ? { kind: "busy", retryAfter: 0 } : { kind: "unknown", retryAfter: 0 };
  }
}

/** The value of an Authorization header for a name and a password. */
export function basic(name: string | undefined, password: string | undefined): string {
  return `Basic ${base64(`${name}:${password}`)}`;
}

/** A short text in base64. */
export function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

function judge({ status, json }: Reply, retryAfter: string | null): SendResult {
  const seconds = Number(retryAfter ?? 0);
  const wait = Number.isFinite(seconds) ? Math.max(0, seconds) : 0;
  if (status === TOO_MANY) return { kind: "busy", retryAfter: wait };
  // A success that cannot be read counts as neither a success nor a refusal.
  if (status < 300 || status >= 500 || INCOMPLETE.has(status)) return { kind: "unknown", retryAfter: wait };
  if (status === 401) return refused("provider_auth", "The provider refused its credentials", status);
  // One without JSON comes from what stands before the provider:
  // https://postmarkapp.com/support/article/getting-a-403-that-doesnt-look-like-a-postmark-error
  if (status === 403 && typeof json === "object")
    return refused("provider_auth", "The provider does not let this account send", status);
  return refused("provider_rejected", `The provider answered ${status}`, status);
}

/** Logs an answer of a provider that has too much to do, or is broken. */
export function logBadAnswer(url: string, status: number): void {
  if (status === TOO_MANY || status >= 500) logFault("provider", `It answered ${status}`, new URL(url).host);
}

function neverLeft(error: unknown): boolean {
  const cause = at(error, "cause");
  return [error, cause].some((one) => /refused|ENOTFOUND/i.test(`${at(one, "message")} ${at(one, "code")}`));
}

/** Reads at most 64 KiB of a reply: no provider answers with more. */
export async function textOf(response: Response, most = MOST_BYTES): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > most) break;
  }
  return text;
}
