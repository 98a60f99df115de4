import { admit, type Quota, requireAdmission } from "#core/coordination.ts";
import { clientAddress, type RequestContext } from "../request-state.ts";

/** Counts a call of the client's address in a line of its own. Throws 429 for one beyond the quota. */
export function admitAddress(c: RequestContext, line: string, quota: Quota): Promise<void> {
  const { startedAt } = c.get("state");
  return requireAdmission(admit(c.env.RATE_LIMITER, `${line}:${clientAddress(c)}`, [quota], startedAt));
}
