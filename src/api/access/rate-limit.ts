import { type Admission, admit, type Quota, requireAdmission } from "#core/coordination.ts";
import type { KeyRecord } from "#tenancy/directory.ts";
import type { RequestContext } from "../request-state.ts";
import { withinCompany } from "./company-ceiling.ts";
import { publishableQuotas, visitorOf } from "./shared-quotas.ts";

// Of one key in one isolate; a flood from more names is judged by the limiter.
const MOST_REMEMBERED = 1_000;

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
