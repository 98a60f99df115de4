import type { TestCompany } from "../support/company.ts";
import { pagesOf } from "../support/pages.ts";

type Query = Record<string, string>;

/** The ids of the records of a list, page by page; `between` happens after the first page. */
export async function idsOf(
  company: TestCompany,
  path: string,
  query: Query = {},
  between = async (): Promise<unknown> => undefined,
): Promise<string[]> {
  const after = async (page: number) => page === 1 && between();
  return (await pagesOf(company, path, query, after)).flat().map(({ id }) => String(id));
}

/** The same by the order of changes. */
export function idsByChange(
  company: TestCompany,
  path: string,
  query: Query = {},
  between?: () => Promise<unknown>,
): Promise<string[]> {
  return idsOf(company, path, { sort: "updated", ...query }, between);
}
