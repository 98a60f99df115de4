import * as z from "zod";
import { deriveBits } from "#core/secrets/derive-key.ts";
import { equalTexts, sha256Hex } from "#core/secrets/hash.ts";
import { refusedMember } from "#shared/fields/refused-member.ts";
import type { Listed, Page, SortKey } from "#shared/page.ts";
import { fieldProblem } from "#shared/problem.ts";
import { fromBase64Url, toBase64Url } from "#shared/text/base64url.ts";

const DEFAULT_LIMIT = 25;
const MAX_LIMIT = 100;
const VERSION = 1;
const SIGNATURE_BYTES = 16;

/** The query parameters of every paged list. */
export const pageQuery = {
  limit: z
    // A limit that is sent twice comes as an array, and is refused with the same message.
    .unknown()
    .optional()
    .transform((sent, context) => {
      if (sent === undefined) return DEFAULT_LIMIT;
      const limit = typeof sent === "string" && /^[0-9]{1,4}$/.test(sent) ? Number(sent) : 0;
      if (limit >= 1 && limit <= MAX_LIMIT) return limit;
      context.addIssue({
        code: "custom",
        params: { code: "invalid_limit" },
        message: `must be an integer from 1 to ${MAX_LIMIT}`,
      });
      return z.NEVER;
    })
    .meta({
      type: "integer",
      minimum: 1,
      maximum: MAX_LIMIT,
      default: DEFAULT_LIMIT,
      description: "Records of a page; fewer where they are large.",
    }),
  cursor: z.string().max(2_000).optional().meta({ description: "`next_cursor` of the page before; opaque." }),
  page: unsupported("page"),
  offset: unsupported("offset"),
};

function unsupported(name: string) {
  return refusedMember(
    "unsupported_parameter",
    `is not supported: lists are paged by cursor, not by ${name}`,
  );
}

/** What a cursor is good for: one list of one company with one set of filters. */
export type CursorPlace = { companyId: number; list: string; filters: Record<string, unknown> };

type Payload = { v: number; c: number; r: string; k: SortKey; f: string };

/** Reads `limit` and `cursor` of a validated query. Throws 422 `invalid_cursor` for one that is not of this very list. */
export async function readPage(
  masterKeys: readonly string[],
  place: CursorPlace,
  query: { limit: number; cursor?: string | undefined },
): Promise<Page> {
  const take = query.limit + 1;
  if (query.cursor === undefined) return { after: null, take };
  const [encoded = "", signature = "", ...rest] = query.cursor.split(".");
  for (const masterKey of masterKeys) {
    if (rest.length > 0 || !(await equalTexts(await sign(masterKey, encoded), signature))) continue;
    const payload = JSON.parse(new TextDecoder().decode(fromBase64Url(encoded))) as Payload;
    const fits =
      payload.v === VERSION &&
      payload.c === place.companyId &&
      payload.r === place.list &&
      payload.f === (await fingerprint(place.filters));
    if (fits) return { after: payload.k, take };
  }
  const help = "must be the next_cursor of this very list, asked with the same filters";
  throw fieldProblem("cursor", "invalid_cursor", help, "invalid_cursor");
}

/** Gives where the page after this one begins. */
export async function pagingOf<Row>(
  masterKey: string,
  place: CursorPlace,
  { rows, more }: Listed<Row>,
  sortKey: (row: Row) => SortKey,
): Promise<{ next_cursor: string | null; has_more: boolean }> {
  const last = rows.at(-1);
  if (!more || last === undefined) return { next_cursor: null, has_more: false };
  const payload: Payload = {
    v: VERSION,
    c: place.companyId,
    r: place.list,
    k: sortKey(last),
    f: await fingerprint(place.filters),
  };
  const encoded = toBase64Url(new TextEncoder().encode(JSON.stringify(payload)));
  return { next_cursor: `${encoded}.${await sign(masterKey, encoded)}`, has_more: true };
}

async function fingerprint(filters: Record<string, unknown>): Promise<string> {
  const given = Object.entries(filters).filter(([, value]) => value !== undefined);
  if (given.length === 0) return "";
  given.sort(([a], [b]) => (a < b ? -1 : 1));
  return (await sha256Hex(JSON.stringify(given))).slice(0, 16);
}

// Deriving the key costs more than all else of a page's cursor; there are two of them at most.
const signingKeys = new Map<string, CryptoKey>();

async function signingKey(masterKey: string): Promise<CryptoKey> {
  const known = signingKeys.get(masterKey);
  if (known !== undefined) return known;
  const bits = await deriveBits(masterKey, "cursor");
  const key = await crypto.subtle.importKey("raw", bits, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  signingKeys.set(masterKey, key);
  return key;
}

async function sign(masterKey: string, text: string): Promise<string> {
  const key = await signingKey(masterKey);
  const signature = await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(text));
  return toBase64Url(new Uint8Array(signature, 0, SIGNATURE_BYTES));
}
