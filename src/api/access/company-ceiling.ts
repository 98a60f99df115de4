import { type Admission, admit } from "#core/coordination.ts";
import type { KeyRecord } from "#tenancy/directory.ts";
import type { RequestContext } from "../request-state.ts";

const WINDOW = "calls";
const OF_PAGES = "calls of publishable keys";

/**
 * What a call's key was answered, or where the company has a ceiling of calls, the tighter of both: its one object is
 * asked beside the key's. Publishable keys, which visitors use, have half of it together: no crowd of theirs shuts secret
 * keys out. A company without one costs nothing.
 */
export async function withinCompany(
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
