/** The values of a list's sort columns in one row, the last of them the row's id. */
export type SortKey = (string | number | null)[];

/** Where a page begins and how many rows to fetch: one more than the page holds, to see whether another follows. */
export type Page = { after: SortKey | null; take: number };

/** The rows of a page, and whether more follow them. */
export type Listed<Row> = { rows: readonly Row[]; more: boolean };

const ABOVE_EVERY_ID = Number.MAX_SAFE_INTEGER;

/** The id below which the next rows of a newest-first list stand; above every id on the first page. */
export function idBelow(page: Page): number {
  const id = page.after?.at(-1);
  return typeof id === "number" ? id : ABOVE_EVERY_ID;
}

/** The id above which the next rows of an oldest-first list stand. */
export function idAbove(page: Page): number {
  const id = page.after?.at(-1);
  return typeof id === "number" ? id : 0;
}
