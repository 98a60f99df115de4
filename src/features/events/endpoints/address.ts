import type { OutsideCtx } from "#core/context.ts";
import { isPublicAddress } from "#shared/network/public-address.ts";
import { isPublicUrl } from "#shared/network/public-url.ts";
import { fieldProblem, Problem } from "#shared/problem.ts";

// A resolver over HTTPS (RFC 8484) that answers in JSON:
// https://developers.cloudflare.com/1.1.1.1/encryption/dns-over-https/make-api-requests/dns-json/
const RESOLVER = "https://cloudflare-dns.com/dns-query";
const TIMEOUT_MS = 5_000;
const RECORDS = { A: 1, AAAA: 28 } as const;
/** The name of a receiver in the sandbox. */
const RECEIVER = /^[\w-]{1,64}$/;
const NO_ERROR = 0;
const NO_SUCH_NAME = 3;

/** What a name stands for: public addresses alone, none or other ones too; or the resolver could not say, or did not answer. */
type Names = "public" | "refused" | "unknown" | "unreachable";
type Answer = { Status?: number; Answer?: { type?: number; data?: unknown }[] };

/** Refuses an address that events are not sent to: 422 on `url`, 503 if DNS fails, 409 without a PUBLIC_ORIGIN. */
export async function requireAddress(ctx: OutsideCtx, url: string): Promise<void> {
  if (ctx.services.publicOrigin === null)
    throw new Problem("conflict", { message: "The operator must first set PUBLIC_ORIGIN" });
  const judged = isAllowed(ctx, url) ? await namesOf(ctx, url) : "refused";
  if (judged === "refused")
    throw fieldProblem("url", "invalid_url", `must be an https address on a public host${orReceiver(ctx)}`);
  if (judged === "public") return;
  const why = judged === "unknown" ? "" : `, for the resolver ${resolverOf(ctx).host} did not answer`;
  throw new Problem("unavailable", {
    message: `The name of the host could not be looked up${why}: this call did nothing`,
    headers: { "Retry-After": "10" },
  });
}

function resolverOf({ services }: OutsideCtx): URL {
  return new URL(services.addressOf("dns", RESOLVER));
}

/** Whether events may be sent to an address, by its letters. */
export function isAllowed(ctx: OutsideCtx, url: string): boolean {
  if (isReceiver(ctx, url)) return true;
  const { publicOrigin } = ctx.services;
  const own = publicOrigin === null ? undefined : URL.parse(publicOrigin)?.hostname;
  return isPublicUrl(url) && URL.parse(url)?.hostname !== own;
}

/** What the name in an address stands for now. */
export async function namesOf(ctx: OutsideCtx, url: string): Promise<Names> {
  const name = URL.parse(url)?.hostname;
  if (name === undefined) return "refused";
  if (isReceiver(ctx, url)) return "public";
  const found = await Promise.all([lookUp(ctx, name, "A"), lookUp(ctx, name, "AAAA")]);
  const addresses = found.flatMap((some) => (typeof some === "string" ? [] : some));
  if (addresses.some((address) => !isPublicAddress(address))) return "refused";
  const without = found.find((some) => typeof some === "string");
  if (without !== undefined) return without;
  return addresses.length === 0 ? "refused" : "public";
}

/** The addresses of a name, or that the resolver cannot say or does not answer. */
async function lookUp(
  ctx: OutsideCtx,
  name: string,
  record: keyof typeof RECORDS,
): Promise<string[] | "unknown" | "unreachable"> {
  const query = new URLSearchParams({ name, type: record });
  try {
    const response = await fetch(`${resolverOf(ctx)}?${query}`, {
      headers: { Accept: "application/dns-json" },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!response.ok) return "unreachable";
    const { Status: status, Answer: answers = [] } = (await response.json()) as Answer;
    if (status !== NO_ERROR && status !== NO_SUCH_NAME) return "unknown";
    return answers.flatMap(({ type, data }) => (type === RECORDS[record] ? [String(data)] : []));
  } catch {
    return "unreachable";
  }
}

/** Whether an address is that of a receiver of the sandbox, which listens on 127.0.0.1 and calls itself localhost. */
function isReceiver({ services }: OutsideCtx, url: string): boolean {
  const receiver = services.receiver === null ? null : URL.parse(services.receiver);
  const asked = URL.parse(url);
  if (receiver === null || asked === null) return false;
  if (asked.hostname === "localhost") asked.hostname = receiver.hostname;
  const { href } = asked;
  return href.startsWith(receiver.href) && RECEIVER.test(href.slice(receiver.href.length));
}

/** What else an address may be in a sandbox, as the end of a sentence. */
function orReceiver({ services }: OutsideCtx): string {
  return services.receiver === null
    ? ""
    : `, or ${services.receiver} with a name after it: 1 to 64 letters, digits, - or _`;
}
