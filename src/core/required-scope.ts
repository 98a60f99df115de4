import { Problem } from "#shared/problem.ts";
import { type SettingName, settingNamed } from "#shared/settings.ts";
import type { OutsideCtx } from "./context.ts";

/** Throws 403 `insufficient_scope` where the caller's key holds none of the scopes: no call gives rights that its caller lacks. */
export function requireScope(
  { client }: Pick<OutsideCtx, "client">,
  ...anyOf: readonly [string, ...string[]]
): void {
  if (!anyOf.some((scope) => client.holds(scope))) throw scopeProblem(anyOf);
}

/** The same for what a write of a setting asks for beside its operation's scope; `members` are those that it changes. */
export function requireSettingRights(
  ctx: Pick<OutsideCtx, "client">,
  name: SettingName,
  members: readonly string[] = [],
): void {
  for (const { anyOf, of } of settingNamed(name).needs ?? [])
    if (of === undefined || of.some((member) => members.includes(member))) requireScope(ctx, ...anyOf);
}

/** The 403 of a key that holds none of the scopes; the first is named as the required one. */
export function scopeProblem(anyOf: readonly string[]): Problem {
  return new Problem("insufficient_scope", {
    message: `The key lacks the scope ${anyOf.join(" or ")}`,
    members: { required_scope: anyOf[0] },
  });
}
