import { financialYearOf } from "#shared/time/financial-year.ts";
import type { Kept } from "./schema.ts";

const KEPT_YEARS = 6;
/** Why the books are kept. */
export const UNDER_GST_LAW =
  "CGST Act, section 36: accounts and records are kept for 72 months from the due date of the annual return of their year";

/** Until when that is, for what is dated a day (YYYY-MM-DD): the return is due on 31 December after its year's end. */
export function keptUntil(date: string): string {
  return `${Number(financialYearOf(date, "IN").end.slice(0, 4)) + KEPT_YEARS}-12-31`;
}

/** Of each kind of record the entry that is kept longest, and one beside it for what has no end yet. */
export function longest(kept: readonly Kept[]): Kept[] {
  const latest = (one: Kept, other: Kept) => ((one.until ?? "") >= (other.until ?? "") ? one : other);
  const kinds = Map.groupBy(kept, ({ what, until }) => `${what} ${until === null}`);
  return [...kinds.values()].map((entries) => entries.reduce(latest));
}
