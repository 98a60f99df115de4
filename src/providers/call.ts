import { type Outcome, refused } from "#providers/delivery";

/** A reply that was read whole; `json` is undefined where it is none. */
export type Reply = { status: number; json: unknown };
type Request = { url: string; headers?: Record<string, string>; body: object | URLSearchParams };

const TIMEOUT_MS = 10_000;
const MOST_BYTES = 64 * 1024;
// An edge in between gave up waiting for its reply: it may have been sent.
const LOST_REPLIES = new Set([504, 520, 524]);

/**
 * Asks a provider, for 10 seconds at most, and lets `read` judge its reply. What `read` leaves undefined is judged by
 * its status; a request that got no reply is an unknown outcome, unless it never left.
 */
export async function ask(request: Request, read: (reply: Reply) => Outcome | undefined): Promise<Outcome> {
  const { url, headers = {}, body } = request;
  const form = body instanceof URLSearchParams;
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: {
        "Content-Type": form ? "application/x-www-form-urlencoded" : "application/json",
        Accept: "application/json",
        ...headers,
      },
      body: form ? body.toString() : JSON.stringify(body),
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const reply = { status: response.status, json: parse(await textOf(response)) };
    return read(reply) ?? judge(reply.status, response.headers.get("Retry-After"));
  } catch (error) {
    return neverLeft(error) ? { kind: "busy", retryAfter: 0 } : { kind: "unknown" };
  }
}

/** `Authorization: Basic` of a user and a password. */
export function basic(user: string, password: string): Record<string, string> {
  return { Authorization: `Basic ${btoa(`${user}:${password}`)}` };
}

/** A member of a value that a provider sent, whatever that is; undefined where there is none. */
export function member(value: unknown, ...path: (string | number)[]): unknown {
  let at = value;
  for (const name of path) at = typeof at === "object" && at !== null ? Reflect.get(at, name) : undefined;
  return at;
}

/** The same as text: of a number its digits, of anything else that is no text, the empty text. */
export function textMember(value: unknown, ...path: (string | number)[]): string {
  const at = member(value, ...path);
  return typeof at === "string" || typeof at === "number" ? String(at) : "";
}

function judge(status: number, retryAfter: string | null): Outcome {
  if (LOST_REPLIES.has(status)) return { kind: "unknown" };
  if (status === 401 || status === 403)
    return refused("provider_auth", "The provider refused its credentials", status);
  if (status === 408 || status === 425 || status === 429 || status >= 500) {
    const seconds = Number(retryAfter ?? 0);
    return { kind: "busy", retryAfter: Number.isFinite(seconds) ? Math.max(0, seconds) : 0 };
  }
  return refused("provider_rejected", `The provider answered ${status}`, status);
}

function neverLeft(error: unknown): boolean {
  const cause = member(error, "cause");
  return [error, cause].some((one) =>
    /refused|ENOTFOUND/i.test(`${member(one, "message")} ${member(one, "code")}`),
  );
}

/** A reply is worth its first 64 KiB, or what it may have of them: a longer one is no reply of a provider. */
export async function textOf(response: Response, most = MOST_BYTES): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > most) break;
  }
  return text;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
