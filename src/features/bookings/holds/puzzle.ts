import type { OutsideCtx, SealCtx } from "#platform/context.ts";
import { judgeVisitor } from "#providers/captcha";
import { Problem } from "#shared/problem.ts";
import { puzzleSecrets } from "../settings/seals.ts";
import type { SettingsRow } from "../settings/snapshot.ts";

/**
 * Whether a visitor has shown to be no machine; `wanted` where it is asked for once an address holds several slots, `off`
 * where nobody asks, or nobody can tell.
 */
export type Puzzle = "off" | "wanted" | "solved";

type Asked = {
  settings: Pick<SettingsRow, "turnstile_mode" | "turnstile_site_key">;
  /** Sealed. */
  secret: string | null;
  token: string | null | undefined;
};

/** Judges the token of a visitor. Throws `captcha_failed` for a wrong one, `captcha_required` where everybody needs one. */
export async function judgePuzzle(
  ctx: SealCtx & OutsideCtx,
  { settings, secret, token }: Asked,
): Promise<Puzzle> {
  if (settings.turnstile_mode === "off" || secret === null) return "off";
  if (!token) {
    if (settings.turnstile_mode === "always") throw captchaRequired(settings);
    return "wanted";
  }
  const verdict = await judgeVisitor(ctx.services, await ctx.open(puzzleSecrets, "", secret), token);
  if (verdict === "machine")
    throw captcha("captcha_failed", "invalid", "is not that of a solved puzzle", settings);
  return verdict === "human" ? "solved" : "off";
}

/** The 422 that asks for the puzzle, with the key that shows it. */
export function captchaRequired(settings: Asked["settings"]): Problem {
  return captcha("captcha_required", "required", "is required", settings);
}

function captcha(
  code: "captcha_required" | "captcha_failed",
  why: string,
  message: string,
  { turnstile_site_key: siteKey }: Asked["settings"],
): Problem {
  const field = "turnstile_token";
  const errors = [{ field, code: why, message }];
  return new Problem(code, { message: `${field} ${message}`, errors, members: { site_key: siteKey } });
}
