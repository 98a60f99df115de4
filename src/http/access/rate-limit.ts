import type { KeyRecord } from "#control/directory.ts";
import { type Admission, admit, type Quota, requireAdmission } from "#platform/coordination.ts";
import type { RequestContext } from "../request-state.ts";
import { clientAddress } from "./authenticate.ts";

// Calls in any 60 seconds. A secret key has the limit that is set for it.
const PUBLISHABLE_PER_ADDRESS = 120;
const PUBLISHABLE_PER_KEY = 6_000;

/** Asks the limiter, whose answer is awaited only beside the database. Throws 429 where it has refused the key before. */
export async function limit(c: RequestContext, key: KeyRecord): Promise<void> {
  const refusal = rememberedRefusal(c, key);
  const admission = refusal === undefined ? askLimiter(c, key) : Promise.resolve(refusal);
  c.get("state").admission = admission;
  // A flood ends here: it reaches neither the limiter's object nor the database.
  if (refusal !== undefined) await requireAdmission(admission);
}

function rememberedRefusal(c: RequestContext, key: KeyRecord): Admission | undefined {
  const now = companyTime(c, key);
  for (const { name } of quotasOf(key, clientAddress(c))) {
    const refusal = key.refusals.get(name);
    if (refusal === undefined) continue;
    if (refusal.until > now) return { ...refusal.admission, resetMs: refusal.until - now };
    key.refusals.delete(name);
  }
  return undefined;
}

async function askLimiter(c: RequestContext, key: KeyRecord): Promise<Admission> {
  const now = companyTime(c, key);
  const quotas = quotasOf(key, clientAddress(c));
  const answer = await admit(c.env.RATE_LIMITER, key.clientId, quotas, now);
  const [first] = quotas;
  if (!answer.admitted && first !== undefined) {
    key.refusals.set(first.name, { admission: answer, until: now + answer.resetMs });
  }
  return answer;
}

function companyTime(c: RequestContext, key: KeyRecord): number {
  return c.get("state").startedAt + key.company.clockOffsetMs;
}

/** A publishable key is shared by all visitors of a page, so each address has a window of its own. */
function quotasOf(key: KeyRecord, address: string): Quota[] {
  if (key.type === "secret") return [{ name: "key", limit: key.rateLimitPerMinute }];
  return [
    { name: `address:${address}`, limit: PUBLISHABLE_PER_ADDRESS },
    { name: "key", limit: PUBLISHABLE_PER_KEY },
  ];
}
