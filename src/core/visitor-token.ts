import { toBase64Url } from "#shared/text/base64url.ts";
import { HOUR_MS } from "#shared/time/durations.ts";
import type { Company, HmacCtx, IdCtx } from "./context.ts";
import { bytesOf, headOf, isSigned, NUMBER_BYTES, numberIn, signedToken } from "./secrets/token.ts";

/** Where a page sends the token with its calls. */
export const VISITOR_HEADER = "X-Visitor";

const VALID_MS = 2 * HOUR_MS;
/** In front of the token: a random id, and the time of issue in seconds. */
const ID_BYTES = 10;

type VisitorCtx = HmacCtx & { company: Pick<Company, "id">; now: number; client: { address: string } };

/** A token that distinguishes one visitor of a page from the others behind the same address. */
export function newVisitor(ctx: VisitorCtx & IdCtx): Promise<string> {
  const id = headOf(ctx.newToken(), ID_BYTES) ?? [];
  const time = bytesOf(Math.floor(ctx.now / 1_000));
  return signedToken(ctx, signed(ctx, Uint8Array.from([...id, ...time])));
}

/** Whom such a token names, for two hours, in its company and from its address; null for any other text. */
export async function visitorIn(ctx: VisitorCtx, token: string | null | undefined): Promise<string | null> {
  const head = headOf(token ?? "", ID_BYTES + NUMBER_BYTES);
  if (token == null || head === null) return null;
  const issued = numberIn(head.subarray(ID_BYTES)) * 1_000;
  if (issued > ctx.now || issued + VALID_MS <= ctx.now) return null;
  return (await isSigned(ctx, token, signed(ctx, head))) ? toBase64Url(head.subarray(0, ID_BYTES)) : null;
}

function signed({ company, client }: VisitorCtx, head: Uint8Array<ArrayBuffer>) {
  return { purpose: "visitor", text: `${company.id}:${client.address}:${toBase64Url(head)}`, head };
}
