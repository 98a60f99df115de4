import type { OutsideCtx, ReadCtx } from "#platform/context.ts";

/** The address of a booking's own page; null where the booking has no token, as in answers stored before there were any. */
export function manageUrl(
  { origin, company }: Pick<OutsideCtx & ReadCtx, "origin" | "company">,
  token: string | null | undefined,
): string | null {
  return token == null ? null : `${origin}/b/${company.slug}/${token}`;
}
