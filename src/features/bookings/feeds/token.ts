import type { HmacCtx } from "#core/context.ts";
import { sha256Hex } from "#core/secrets/hash.ts";
import { toBase64Url } from "#shared/text/base64url.ts";

const PURPOSE = "calendar feed";

/** The tokens of what a call issued, by the master key of today first: made again for a retry, and never kept. */
export async function tokensOf(ctx: HmacCtx, issue: string): Promise<{ token: string; hash: string }[]> {
  const hmacs = await ctx.hmacs(PURPOSE, issue);
  return Promise.all(
    hmacs.map(async (hmac) => {
      const token = toBase64Url(hmac);
      return { token, hash: await hashOf(token) };
    }),
  );
}

/** A token as the database knows it. */
export function hashOf(token: string): Promise<string> {
  return sha256Hex(token);
}
