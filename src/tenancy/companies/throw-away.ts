// Databases of real companies are never deleted: the slug alone says which company may be.
const DIGITS = 16;
const PATTERN = new RegExp(`^doctor-[0-9a-f]{${DIGITS}}$`);

/** The same as a pattern of SQL's GLOB. */
export const THROW_AWAY_GLOB = `doctor-${"[0-9a-f]".repeat(DIGITS)}`;

/** Whether the slug is that of a company which only `company-ops doctor` creates. */
export function isThrowAway(slug: string): boolean {
  return PATTERN.test(slug);
}

/** A slug for a company that `company-ops doctor` opens, and that may be deleted. */
export function newThrowAwaySlug(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(DIGITS / 2));
  return `doctor-${[...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
