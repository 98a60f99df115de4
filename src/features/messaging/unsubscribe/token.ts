import type { HmacCtx, ReadCtx } from "#core/context.ts";
import { bytesOf, headOf, isSigned, NUMBER_BYTES, numberIn, signedToken } from "#core/secrets/token.ts";

type Recipient = { id: number; address: string };

/** The token with which a recipient of one e-mail unsubscribes: it names the row, and the address by an HMAC. */
export function unsubscribeToken(ctx: ReadCtx & HmacCtx, recipient: Recipient): Promise<string> {
  return signedToken(ctx, signed(ctx, recipient));
}

/** The row that a token of 43 characters names. */
export function rowIn(token: string): number {
  return numberIn(headOf(token, NUMBER_BYTES) ?? new Uint8Array());
}

/** Whether a token is a recipient's own. */
export function isTokenOf(ctx: ReadCtx & HmacCtx, token: string, recipient: Recipient): Promise<boolean> {
  return isSigned(ctx, token, signed(ctx, recipient));
}

/** The recipient's row stands in front. */
function signed({ company }: ReadCtx, { id, address }: Recipient) {
  const text = `${company.id}:${id}:${address.toLowerCase()}`;
  return { purpose: "unsubscribe", text, head: bytesOf(id) };
}
