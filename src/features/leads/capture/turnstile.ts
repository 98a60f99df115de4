import { sql } from "drizzle-orm";
import type { OutsideCtx, SealCtx } from "#platform/context.ts";
import { sealedKind } from "#platform/secrets/sealed-kind.ts";
import { isHuman } from "#providers/captcha";
import { Problem } from "#shared/problem.ts";
import { leadSettings } from "../leads/tables.ts";

export const turnstileSecrets = sealedKind("lead_settings.turnstile_secret", {
  table: leadSettings,
  id: leadSettings.id,
  column: leadSettings.turnstileSecret,
  key: sql`''`,
});

/** Throws `captcha_failed` unless the visitor's token is one that Turnstile knows by the company's sealed secret. */
export async function requireHuman(
  ctx: SealCtx & OutsideCtx,
  sealed: string,
  token: string | null | undefined,
): Promise<void> {
  const secret = await ctx.open(turnstileSecrets, "", sealed);
  if (!token || !(await isHuman(ctx.services, secret, token))) throw new Problem("captcha_failed");
}
