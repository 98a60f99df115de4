import type { HmacCtx, ReadCtx } from "#core/context.ts";
import { equalTexts } from "#core/secrets/hash.ts";
import { fromBase64Url, toBase64Url } from "#shared/text/base64url.ts";

const PURPOSE = "unsubscribe";
/** The recipient's row in front, and as much of its HMAC as makes 43 characters: nothing else opens the page. */
const ROW_BYTES = 6;
const TOKEN_BYTES = 32;

type Recipient = { id: number; address: string };

/** The token with which a recipient of one e-mail unsubscribes: it names the row, and the address by an HMAC. */
export async function unsubscribeToken(ctx: ReadCtx & HmacCtx, recipient: Recipient): Promise<string> {
  const [hmac] = await ctx.hmacs(PURPOSE, textOf(ctx, recipient));
  if (hmac === undefined) throw new Error("There is no key to make an HMAC with");
  return tokenOf(recipient.id, hmac);
}

/** The row that a token of 43 characters names. */
export function rowIn(token: string): number {
  const bytes = fromBase64Url(token);
  return bytes.subarray(0, ROW_BYTES).reduce((row, byte) => row * 256 + byte, 0);
}

/** Whether a token is a recipient's own; one that was made with the master key before this one counts too. */
export async function isTokenOf(
  ctx: ReadCtx & HmacCtx,
  token: string,
  recipient: Recipient,
): Promise<boolean> {
  const hmacs = await ctx.hmacs(PURPOSE, textOf(ctx, recipient));
  const equal = await Promise.all(hmacs.map((hmac) => equalTexts(tokenOf(recipient.id, hmac), token)));
  return equal.includes(true);
}

function textOf({ company }: ReadCtx, { id, address }: Recipient): string {
  return `${company.id}:${id}:${address.toLowerCase()}`;
}

function tokenOf(row: number, hmac: Uint8Array): string {
  const token = new Uint8Array(TOKEN_BYTES);
  for (let place = 0, rest = row; place < ROW_BYTES; place += 1, rest = Math.floor(rest / 256))
    token[ROW_BYTES - 1 - place] = rest % 256;
  token.set(hmac.subarray(0, TOKEN_BYTES - ROW_BYTES), ROW_BYTES);
  return toBase64Url(token);
}
