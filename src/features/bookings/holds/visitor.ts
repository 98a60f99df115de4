import type { IdCtx, MarkCtx, OutsideCtx, ReadCtx } from "#platform/context.ts";
import { equalTexts } from "#platform/secrets/hash.ts";
import { fromBase64Url, toBase64Url } from "#shared/text/base64url.ts";
import { HOUR_MS } from "#shared/time/durations.ts";

const PURPOSE = "visitor";
const VALID_MS = 2 * HOUR_MS;
/** A random id, the time of issue in seconds, and as much of their mark as makes 43 characters. */
const ID_BYTES = 10;
const TIME_BYTES = 6;
const TOKEN_BYTES = 32;
const TOKEN = /^[\w-]{43}$/;

type VisitorCtx = Pick<ReadCtx, "company" | "now"> & MarkCtx & Pick<OutsideCtx, "client">;

/** A token that tells one visitor of a booking page from the others behind the same address. */
export async function newVisitor(ctx: VisitorCtx & IdCtx): Promise<string> {
  const head = fromBase64Url(ctx.newToken()).slice(0, ID_BYTES + TIME_BYTES);
  new DataView(head.buffer).setUint16(ID_BYTES, Math.floor(ctx.now / 1_000 / 2 ** 32));
  new DataView(head.buffer).setUint32(ID_BYTES + 2, Math.floor(ctx.now / 1_000) % 2 ** 32);
  const [mark] = await marksOf(ctx, head);
  if (mark === undefined) throw new Error("There is no key to make marks with");
  return tokenOf(head, mark);
}

/** Whom such a token names, for two hours, in its company and from its address; null for any other text. */
export async function visitorIn(ctx: VisitorCtx, token: string | null | undefined): Promise<string | null> {
  if (token == null || !TOKEN.test(token)) return null;
  const head = fromBase64Url(token).slice(0, ID_BYTES + TIME_BYTES);
  const issued = head.subarray(ID_BYTES).reduce((seconds, byte) => seconds * 256 + byte, 0) * 1_000;
  if (issued > ctx.now || issued + VALID_MS <= ctx.now) return null;
  const marks = await marksOf(ctx, head);
  const equal = await Promise.all(marks.map((mark) => equalTexts(tokenOf(head, mark), token)));
  return equal.includes(true) ? toBase64Url(head.subarray(0, ID_BYTES)) : null;
}

function marksOf({ company, client, marks }: VisitorCtx, head: Uint8Array) {
  return marks(PURPOSE, `${company.id}:${client.address}:${toBase64Url(head)}`);
}

function tokenOf(head: Uint8Array, mark: Uint8Array): string {
  const token = new Uint8Array(TOKEN_BYTES);
  token.set(head);
  token.set(mark.subarray(0, TOKEN_BYTES - head.length), head.length);
  return toBase64Url(token);
}
