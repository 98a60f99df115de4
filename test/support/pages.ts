import { expect } from "vitest";
import { must, type TestCompany } from "./company.ts";
import type { Answer } from "./http.ts";

/** The pages of a list; `after` happens after each of them, by its number from 1. */
export async function pagesOf<Row = { id: string }>(
  company: TestCompany,
  path: string,
  query: Record<string, string> = {},
  after = async (_page: number): Promise<unknown> => undefined,
): Promise<Row[][]> {
  const pages: Row[][] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const search = new URLSearchParams({ ...query, ...(cursor === "" ? {} : { cursor }) });
    const { body }: Answer<Row[]> = must(await company.call<Row[]>("GET", `${path}?${search}`), 200);
    expect(body.paging.has_more).toBe(body.paging.next_cursor !== null);
    pages.push(body.data);
    cursor = body.paging.next_cursor;
    await after(pages.length);
  }
  return pages;
}
