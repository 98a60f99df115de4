import type { OutsideCtx, SealCtx } from "#platform/context.ts";
import { judgeVisitor } from "#providers/captcha";
import { Problem } from "#shared/problem.ts";
import { turnstileSecrets } from "../leads/seals.ts";

/**
 * Throws `captcha_failed` where the visitor's token is none that Turnstile knows by the company's sealed secret. When it
 * cannot be asked the visitor is believed: a lead that is lost is worse than one that a machine made.
 */
export async function requireHuman(
  ctx: SealCtx & OutsideCtx,
  sealed: string,
  token: string | null | undefined,
): Promise<void> {
  const secret = await ctx.open(turnstileSecrets, "", sealed);
  if (!token || (await judgeVisitor(ctx.services, secret, token)) === "machine")
    throw new Problem("captcha_failed");
}
