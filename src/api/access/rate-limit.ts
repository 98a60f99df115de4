import { type Admission, admit, type Quota, requireAdmission } from "#core/coordination.ts";
import { hmacOf } from "#core/secrets/hmac.ts";
import { VISITOR_HEADER, visitorIn } from "#core/visitor-token.ts";
import { widerGroups } from "#shared/network/address-group.ts";
import type { KeyRecord } from "#tenancy/directory.ts";
import { masterKeysOf } from "../environment.ts";
import { clientAddress, type RequestContext } from "../request-state.ts";

// Of one key in one isolate; a flood from more names is judged by the limiter.
const MOST_REMEMBERED = 1_000;

const WINDOW = "calls";
const OF_PAGES = "calls of publishable keys";

// Calls in any 60 seconds: of a visitor, and of all of an address group that come without a token.
const OF_ONE = 120;
// Of an address group with all its visitors, and of a /56.
const OF_ADDRESS = 1_200;

/** Asks the limiter, whose answer is awaited only beside the database. Throws 429 where it has refused the key before. */
export async function limit(c: RequestContext, key: KeyRecord): Promise<void> {
  const quotas = await quotasOf(c, key);
  const refusal = rememberedRefusal(c, key, quotas);
  const admission = refusal === undefined ? askLimiter(c, key, quotas) : Promise.resolve(refusal);
  c.get("state").admission = admission;
  // A flood ends here: it reaches neither the limiter's object nor the database.
  if (refusal !== undefined) await requireAdmission(admission);
}

function rememberedRefusal(
  c: RequestContext,
  key: KeyRecord,
  quotas: readonly Quota[],
): Admission | undefined {
  const now = companyTime(c, key);
  for (const { name } of quotas) {
    const refusal = key.refusals.get(name);
    if (refusal === undefined) continue;
    if (refusal.until > now) return { ...refusal.admission, resetMs: refusal.until - now };
    key.refusals.delete(name);
  }
  return undefined;
}

async function askLimiter(c: RequestContext, key: KeyRecord, quotas: Quota[]): Promise<Admission> {
  const now = companyTime(c, key);
  const ofKey = admit(c.env.RATE_LIMITER, key.clientId, quotas, now, key.type === "publishable");
  const answer = await withinCompany(c, key, ofKey, now);
  const [first] = quotas;
  if (!answer.admitted && first !== undefined) {
    if (key.refusals.size >= MOST_REMEMBERED) key.refusals.clear();
    key.refusals.set(first.name, { admission: answer, until: now + answer.resetMs });
  }
  return answer;
}

function companyTime(c: RequestContext, key: KeyRecord): number {
  return c.get("state").startedAt + key.company.clockOffsetMs;
}

/** A secret key has the limit that is set for it; a publishable one is shared by all visitors of a page. */
async function quotasOf(c: RequestContext, key: KeyRecord): Promise<Quota[]> {
  if (key.type === "secret") return [{ name: "key", limit: key.rateLimitPerMinute }];
  return publishableQuotas(c, await visitorOf(c, key, companyTime(c, key)));
}

/**
 * What a call's key was answered, or where the company has a ceiling of calls, the tighter of both: its one object is
 * asked beside the key's. Publishable keys, which visitors use, have half of it together: no crowd of theirs shuts secret
 * keys out. A company without one costs nothing.
 */
async function withinCompany(
  { env }: Pick<RequestContext, "env">,
  { company, type }: KeyRecord,
  ofKey: Promise<Admission>,
  now: number,
): Promise<Admission> {
  const { id, callsCeiling: limit } = company;
  if (limit === null) return ofKey;
  const half = { name: OF_PAGES, limit: Math.max(1, Math.floor(limit / 2)) };
  const quotas = [...(type === "publishable" ? [half] : []), { name: WINDOW, limit }];
  const [key, all] = await Promise.all([ofKey, admit(env.RATE_LIMITER, `company:${id}`, quotas, now)]);
  // One that failed lets the call through, and has no limit to show.
  if (all.limit === 0) return key;
  if (key.limit === 0 || key.admitted !== all.admitted) return key.admitted ? all : key;
  if (key.remaining !== all.remaining) return key.remaining < all.remaining ? key : all;
  return key.resetMs > all.resetMs ? key : all;
}

/** Of the key, and so of a /48. */
const OF_KEY = 6_000;

/**
 * The windows that a publishable key's call counts in, from the narrowest to the widest; each is a part of the next. `visitor`
 * is whom the token names.
 */
function publishableQuotas(c: RequestContext, visitor: string | null): Quota[] {
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
async function visitorOf(c: RequestContext, { company }: KeyRecord, now: number): Promise<string | null> {
  const token = c.req.header(VISITOR_HEADER);
  if (token === undefined) return null;
  const keys = masterKeysOf(c.env);
  const hmacs = (purpose: string, text: string) =>
    Promise.all(keys.map((masterKey) => hmacOf(masterKey, purpose, text)));
  return visitorIn({ company, now, client: { address: clientAddress(c) }, hmacs }, token);
}
