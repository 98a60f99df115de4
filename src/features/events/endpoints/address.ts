import type { OutsideCtx } from "#core/context.ts";
import { isAllowed, namesOf, resolverOf } from "#core/outside-address.ts";
import { fieldProblem, Problem } from "#shared/problem.ts";

/** Refuses an address that events are not sent to: 422 on `url`, 503 if DNS fails, 409 without a PUBLIC_ORIGIN. */
export async function requireAddress(ctx: OutsideCtx, url: string): Promise<void> {
  if (ctx.services.publicOrigin === null)
    throw new Problem("conflict", { message: "The operator must first set PUBLIC_ORIGIN" });
  const judged = isAllowed(ctx, url) ? await namesOf(ctx, url) : "refused";
  if (judged === "refused")
    throw fieldProblem("url", "invalid_url", `must be an https address on a public host${orReceiver(ctx)}`);
  if (judged === "public") return;
  const why = judged === "unknown" ? "" : `, for the resolver ${resolverOf(ctx).host} did not answer`;
  throw new Problem("unavailable", {
    message: `The name of the host could not be looked up${why}: this call did nothing`,
    headers: { "Retry-After": "10" },
  });
}

/** What else an address may be in a sandbox, as the end of a sentence. */
function orReceiver({ services }: OutsideCtx): string {
  return services.receiver === null
    ? ""
    : `, or ${services.receiver} with a name after it: 1 to 64 letters, digits, - or _`;
}
