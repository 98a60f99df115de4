import type { OutsideCtx, SealCtx } from "#platform/context.ts";
import { isHuman } from "#providers/captcha";
import { Problem } from "#shared/problem.ts";
import { turnstileSecrets } from "../leads/seals.ts";

/** Throws `captcha_failed` unless the visitor's token is one that Turnstile knows by the company's sealed secret. */
export async function requireHuman(
  ctx: SealCtx & OutsideCtx,
  sealed: string,
  token: string | null | undefined,
): Promise<void> {
  const secret = await ctx.open(turnstileSecrets, "", sealed);
  if (!token || !(await isHuman(ctx.services, secret, token))) throw new Problem("captcha_failed");
}
