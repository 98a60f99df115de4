import { admit, requireAdmission } from "#core/coordination.ts";
import { equalTexts } from "#core/secrets/hash.ts";
import { Problem } from "#shared/problem.ts";
import { clientAddress, type RequestContext } from "../request-state.ts";

const FAILURES_PER_ADDRESS = 30;

/** Lets the operator in, by `Authorization: Bearer <PLATFORM_TOKEN>`; unset, the address does not exist. */
export async function authenticatePlatform(c: RequestContext): Promise<void> {
  const token = c.env.PLATFORM_TOKEN;
  if (token === undefined || token === "") throw new Problem("route_not_found");
  const header = c.req.header("Authorization");
  // The name of a scheme has no case (RFC 9110, 11.1); the token has.
  const [, given] = /^Bearer +(.*)$/is.exec(header ?? "") ?? [];
  if (given !== undefined && (await equalTexts(given, token))) return;
  const quota = { name: "platform", limit: FAILURES_PER_ADDRESS };
  const { startedAt } = c.get("state");
  await requireAdmission(admit(c.env.RATE_LIMITER, `failures:${clientAddress(c)}`, [quota], startedAt));
  throw new Problem(header === undefined ? "missing_credentials" : "invalid_credentials");
}
