import { must, type TestCompany } from "../support/company.ts";

type Query = Record<string, string>;

/** The ids of the records of a list, page by page; `between` happens after the first page. */
export async function idsOf(
  company: TestCompany,
  path: string,
  query: Query = {},
  between = async (): Promise<unknown> => undefined,
): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const search = new URLSearchParams({ ...query, ...(cursor === "" ? {} : { cursor }) });
    const { body } = must(await company.call<{ id: string }[]>("GET", `${path}?${search}`), 200);
    ids.push(...body.data.map(({ id }) => String(id)));
    if (cursor === "") await between();
    cursor = body.paging?.next_cursor ?? null;
  }
  return ids;
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
