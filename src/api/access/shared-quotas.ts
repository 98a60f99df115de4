import type { Quota } from "#core/coordination.ts";
import { hmacOf } from "#core/secrets/hmac.ts";
import { VISITOR_HEADER, visitorIn } from "#core/visitor-token.ts";
import { widerGroups } from "#shared/network/address-group.ts";
import type { KeyRecord } from "#tenancy/directory.ts";
import { masterKeysOf } from "../environment.ts";
import type { RequestContext } from "../request-state.ts";
import { clientAddress } from "./authenticate.ts";

// Calls in any 60 seconds: of a visitor, and of all of an address group that come without a token.
const OF_ONE = 120;
// Of an address group with all its visitors, and of a /56.
const OF_ADDRESS = 1_200;
/** Of the key, and so of a /48. */
const OF_KEY = 6_000;

/**
 * The windows that a publishable key's call counts in, from the narrowest to the widest; each is a part of the next. `visitor`
 * is whom the token names.
 */
export function publishableQuotas(c: RequestContext, visitor: string | null): Quota[] {
  const address = clientAddress(c);
  const wider = widerGroups(address);
  const own = visitor === null ? `address:${address}` : `visitor:${visitor}`;
  const networks =
    wider === null
      ? []
      : [
          { name: `site:${wider.site}`, limit: OF_ADDRESS },
          { name: `network:${wider.network}`, limit: OF_KEY },
        ];
  return [
    { name: own, limit: OF_ONE },
    { name: `all:${address}`, limit: OF_ADDRESS },
    ...networks,
    { name: "key", limit: OF_KEY },
  ];
}

/** Whom the visitor's token names that a booking page sends; null without one that holds. */
export async function visitorOf(
  c: RequestContext,
  { company }: KeyRecord,
  now: number,
): Promise<string | null> {
  const token = c.req.header(VISITOR_HEADER);
  if (token === undefined) return null;
  const keys = masterKeysOf(c.env);
  const hmacs = (purpose: string, text: string) =>
    Promise.all(keys.map((masterKey) => hmacOf(masterKey, purpose, text)));
  return visitorIn({ company, now, client: { address: clientAddress(c) }, hmacs }, token);
}
