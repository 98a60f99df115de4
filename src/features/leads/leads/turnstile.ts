import type { OutsideCtx, SealCtx } from "#platform/context.ts";
import { isHuman } from "#providers/captcha";
import { Problem } from "#shared/problem.ts";

/** Where the secret is sealed to. */
export const TURNSTILE_FIELD = "lead_settings.turnstile_secret";

/** Throws `captcha_failed` unless the visitor's token is one that Turnstile knows by the company's sealed secret. */
export async function requireHuman(
  ctx: SealCtx & OutsideCtx,
  sealed: string,
  token: string | null | undefined,
): Promise<void> {
  const secret = await ctx.open(TURNSTILE_FIELD, sealed);
  if (!token || !(await isHuman(ctx.services, secret, token))) throw new Problem("captcha_failed");
}
