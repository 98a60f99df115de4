import { isPublicAddress } from "#shared/network/public-address.ts";
import { isPublicUrl } from "#shared/network/public-url.ts";
import type { OutsideCtx } from "./context.ts";
import { askOutside } from "./outside-request.ts";

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

/** The resolver that is asked what names stand for. */
export function resolverOf({ services }: OutsideCtx): URL {
  return new URL(services.addressOf("dns", RESOLVER));
}

/** Whether something may be sent to or fetched from an address, by its letters. */
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
    const response = await askOutside(`${resolverOf(ctx)}?${query}`, {
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
