import * as z from "zod";

const SLUG = /^[a-z0-9][a-z0-9-]{1,62}$/;

/** A company's name in a path: 2 to 63 lower-case letters, digits and hyphens, the first no hyphen. */
export const companySlug = z
  .string()
  .regex(SLUG, "must be 2 to 63 lower-case letters, digits or hyphens, not starting with a hyphen");

/** Whether `text` can be a company's slug at all, asked before anything is looked up. */
export function isCompanySlug(text: string): boolean {
  return SLUG.test(text);
}

/** A text in lower-case ASCII letters, digits and single hyphens, at most `max` of them; empty where none is left. */
export function slugify(text: string, max: number): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, max)
    .replace(/^-+|-+$/g, "");
}
