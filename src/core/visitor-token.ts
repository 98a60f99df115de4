import { fromBase64Url, toBase64Url } from "#shared/text/base64url.ts";
import { HOUR_MS } from "#shared/time/durations.ts";
import type { Company, HmacCtx, IdCtx } from "./context.ts";
import { equalTexts } from "./secrets/hash.ts";

/** Where a page sends the token with its calls. */
export const VISITOR_HEADER = "X-Visitor";

const PURPOSE = "visitor";
const VALID_MS = 2 * HOUR_MS;
/** A random id, the time of issue in seconds, and as much of their keyed hash as makes 43 characters. */
const ID_BYTES = 10;
const TIME_BYTES = 6;
const TOKEN_BYTES = 32;
const TOKEN = /^[\w-]{43}$/;

type VisitorCtx = HmacCtx & { company: Pick<Company, "id">; now: number; client: { address: string } };

/** A token that distinguishes one visitor of a page from the others behind the same address. */
export async function newVisitor(ctx: VisitorCtx & IdCtx): Promise<string> {
  const head = fromBase64Url(ctx.newToken()).slice(0, ID_BYTES + TIME_BYTES);
  new DataView(head.buffer).setUint16(ID_BYTES, Math.floor(ctx.now / 1_000 / 2 ** 32));
  new DataView(head.buffer).setUint32(ID_BYTES + 2, Math.floor(ctx.now / 1_000) % 2 ** 32);
  const [hmac] = await hmacsOf(ctx, head);
  if (hmac === undefined) throw new Error("There is no key to make keyed hashes with");
  return tokenOf(head, hmac);
}

/** Whom such a token names, for two hours, in its company and from its address; null for any other text. */
export async function visitorIn(ctx: VisitorCtx, token: string | null | undefined): Promise<string | null> {
  if (token == null || !TOKEN.test(token)) return null;
  const head = fromBase64Url(token).slice(0, ID_BYTES + TIME_BYTES);
  const issued = head.subarray(ID_BYTES).reduce((seconds, byte) => seconds * 256 + byte, 0) * 1_000;
  if (issued > ctx.now || issued + VALID_MS <= ctx.now) return null;
  const hmacs = await hmacsOf(ctx, head);
  const equal = await Promise.all(hmacs.map((hmac) => equalTexts(tokenOf(head, hmac), token)));
  return equal.includes(true) ? toBase64Url(head.subarray(0, ID_BYTES)) : null;
}

function hmacsOf({ company, client, hmacs }: VisitorCtx, head: Uint8Array) {
  return hmacs(PURPOSE, `${company.id}:${client.address}:${toBase64Url(head)}`);
}

function tokenOf(head: Uint8Array, hmac: Uint8Array): string {
  const token = new Uint8Array(TOKEN_BYTES);
  token.set(head);
  token.set(hmac.subarray(0, TOKEN_BYTES - head.length), head.length);
  return toBase64Url(token);
}
