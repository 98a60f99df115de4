import { equalTexts } from "#core/secrets/hash.ts";
import { Problem } from "#shared/problem.ts";
import type { RequestContext } from "../request-state.ts";
import { admitAddress } from "./admit-address.ts";
import { tokenProblem } from "./credentials-problem.ts";

const FAILURES_PER_ADDRESS = 30;

/**
 * Lets the operator in, by `Authorization: Bearer` and PLATFORM_TOKEN, or PREVIOUS_PLATFORM_TOKEN while the token is changed.
 * With none of them set, the address does not exist.
 */
export async function authenticatePlatform(c: RequestContext): Promise<void> {
  const tokens = [c.env.PLATFORM_TOKEN, c.env.PREVIOUS_PLATFORM_TOKEN].flatMap((token) => token || []);
  if (tokens.length === 0) throw new Problem("route_not_found");
  const header = c.req.header("Authorization");
  // The name of a scheme has no case (RFC 9110, 11.1); the token has.
  const [, given] = /^Bearer +(.*)$/is.exec(header ?? "") ?? [];
  for (const token of tokens) if (given !== undefined && (await equalTexts(given, token))) return;
  await admitAddress(c, "failures", { name: "platform", limit: FAILURES_PER_ADDRESS });
  throw tokenProblem(header !== undefined);
}
