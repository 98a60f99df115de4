import type { OutsideCtx, ReadCtx } from "#core/context.ts";

/** The address of a booking's own page. */
export function manageUrl(
  { origin, company }: Pick<OutsideCtx & ReadCtx, "origin" | "company">,
  token: string,
): string {
  return `${origin}/b/${company.slug}/${token}`;
}
