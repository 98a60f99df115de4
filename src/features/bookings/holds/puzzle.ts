import type { EncryptionCtx, OutsideCtx } from "#core/context.ts";
import { judgeVisitor } from "#providers/captcha";
import { Problem } from "#shared/problem.ts";
import { puzzleSecrets } from "../settings/secret-kinds.ts";
import type { SettingsRow } from "../settings/settings.ts";

/**
 * Whether a visitor has proved to be a person. `wanted`: needed once an address holds several slots;
 * `missing`, `wrong`: always needed; `off`: not needed, or the puzzle service does not answer.
 */
export type Puzzle = "off" | "wanted" | "missing" | "wrong" | "solved";

type Asked = {
  settings: Pick<SettingsRow, "turnstile_mode" | "turnstile_site_key">;
  /** Encrypted. */
  secret: string | null;
  token: string | null | undefined;
};

/** Judges the token of a visitor; what it asks for is refused in the batch, where the slot is judged first. */
export async function judgePuzzle(
  ctx: EncryptionCtx & OutsideCtx,
  { settings, secret, token }: Asked,
): Promise<Puzzle> {
  if (settings.turnstile_mode === "off" || secret === null) return "off";
  if (!token) return settings.turnstile_mode === "always" ? "missing" : "wanted";
  const verdict = await judgeVisitor(ctx.services, await ctx.decrypt(puzzleSecrets, "", secret), token);
  if (verdict === "machine") return "wrong";
  return verdict === "human" ? "solved" : "off";
}

type Keyed = Pick<SettingsRow, "turnstile_site_key">;

const REFUSALS = {
  captcha_required: { code: "required", message: "is required" },
  captcha_failed: { code: "invalid", message: "is not that of a solved puzzle" },
} as const;

/** The 422 that asks for the puzzle, or that of a token which no solved puzzle gave; with the key that shows the puzzle. */
export function captchaProblem(code: keyof typeof REFUSALS, { turnstile_site_key: siteKey }: Keyed): Problem {
  const field = "turnstile_token";
  const { message } = REFUSALS[code];
  const errors = [{ field, ...REFUSALS[code] }];
  return new Problem(code, { message: `${field} ${message}`, errors, members: { site_key: siteKey } });
}
