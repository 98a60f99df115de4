import type { OutsideCtx } from "#platform/context.ts";
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

/** What a name stands for: public addresses alone, none or other ones too; or nobody could say. */
type Names = "public" | "refused" | "unknown";
type Answer = { Status?: number; Answer?: { type?: number; data?: unknown }[] };

/** Refuses an address that events are not sent to: 422 on `url`; 503 where nobody can say. 409 where the service has none itself. */
export async function requireAddress(ctx: OutsideCtx, url: string): Promise<void> {
  if (ctx.services.publicOrigin === null)
    throw new Problem("conflict", { message: "Whoever runs the service must first set its PUBLIC_ORIGIN" });
  const judged = isAllowed(ctx, url) ? await namesOf(ctx, url) : "refused";
  if (judged === "refused")
    throw fieldProblem("url", "invalid_url", `must be an https address on a public host${orReceiver(ctx)}`);
  if (judged === "unknown")
    throw new Problem("unavailable", {
      message: "The name of the host could not be looked up: this call did nothing",
      headers: { "Retry-After": "10" },
    });
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
  const addresses = found.flatMap((some) => some ?? []);
  if (addresses.some((address) => !isPublicAddress(address))) return "refused";
  if (found.includes(undefined)) return "unknown";
  return addresses.length === 0 ? "refused" : "public";
}

/** The addresses of a name; undefined where the resolver does not say. */
async function lookUp(
  { services }: OutsideCtx,
  name: string,
  record: keyof typeof RECORDS,
): Promise<string[] | undefined> {
  const query = new URLSearchParams({ name, type: record });
  try {
    const response = await fetch(`${services.addressOf("dns", RESOLVER)}?${query}`, {
      headers: { Accept: "application/dns-json" },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!response.ok) return undefined;
    const { Status: status, Answer: answers = [] } = (await response.json()) as Answer;
    if (status !== NO_ERROR && status !== NO_SUCH_NAME) return undefined;
    return answers.flatMap(({ type, data }) => (type === RECORDS[record] ? [String(data)] : []));
  } catch {
    return undefined;
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
