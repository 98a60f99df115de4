import type { EncryptionCtx, OutsideCtx } from "#core/context.ts";
import { judgeVisitor } from "#providers/captcha";
import { Problem } from "#shared/problem.ts";
import { turnstileSecrets } from "../leads/secret-kinds.ts";

/**
 * Throws `captcha_failed` where the visitor's token is none that Turnstile knows by the company's encrypted secret. When it
 * cannot be asked the visitor is believed: a lead that is lost is worse than one that a machine made.
 */
export async function requireHuman(
  ctx: EncryptionCtx & OutsideCtx,
  encrypted: string,
  token: string | null | undefined,
): Promise<void> {
  const secret = await ctx.decrypt(turnstileSecrets, "", encrypted);
  if (!token || (await judgeVisitor(ctx.services, secret, token)) === "machine")
    throw new Problem("captcha_failed");
}
