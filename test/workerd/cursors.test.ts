import { expect, test, vi } from "vitest";
import { type CursorPlace, pagingOf, readPage } from "#api/operations/paging.ts";
import type { SortKey } from "#shared/page.ts";

const key = (byte: number) => new Uint8Array(32).fill(byte).toBase64();
const CURRENT = key(1);
const PREVIOUS = key(2);
const PLACE: CursorPlace = {
  companyId: 1,
  list: "listInvoices {}",
  filters: { status: "paid", customer_id: 7 },
};

async function cursorOf(masterKey: string, sortKey: SortKey = [9], place = PLACE): Promise<string> {
  const paging = await pagingOf(masterKey, place, { rows: [1], more: true }, () => sortKey);
  return paging.next_cursor ?? "";
}

test("a cursor gives back the place where the page ended, of any sort", async () => {
  for (const sortKey of [[9], [null, 3], ["2026-11-21", "\u0905", 12]] as SortKey[]) {
    const cursor = await cursorOf(CURRENT, sortKey);
    expect(cursor).toMatch(/^[\w-]+\.[\w-]{22}$/);
    expect(await readPage([CURRENT], PLACE, { limit: 25, cursor })).toEqual({ after: sortKey, take: 26 });
  }
});

test("a page asks for one row more than it holds, and there is a cursor only when more follow", async () => {
  expect(await readPage([CURRENT], PLACE, { limit: 25 })).toEqual({ after: null, take: 26 });
  const end = { next_cursor: null, has_more: false };
  expect(await pagingOf(CURRENT, PLACE, { rows: [], more: false }, () => [0])).toEqual(end);
  expect(await pagingOf(CURRENT, PLACE, { rows: [5, 4], more: false }, (row) => [row])).toEqual(end);
  const paging = await pagingOf(CURRENT, PLACE, { rows: [5, 4], more: true }, (row) => [row]);
  expect(paging).toMatchObject({ has_more: true });
  const cursor = paging.next_cursor ?? "";
  expect(await readPage([CURRENT], PLACE, { limit: 2, cursor })).toMatchObject({ after: [4] });
});

test("a cursor of another company, list or filter, or of a foreign key, is refused", async () => {
  const cursor = await cursorOf(CURRENT);
  const elsewhere: CursorPlace[] = [
    { ...PLACE, companyId: 2 },
    { ...PLACE, list: "listCustomers {}" },
    { ...PLACE, list: 'listInvoices {"project_id":1}' },
    { ...PLACE, filters: { ...PLACE.filters, status: "unpaid" } },
    { ...PLACE, filters: { status: "paid" } },
    { ...PLACE, filters: {} },
  ];
  for (const place of elsewhere)
    await expect(readPage([CURRENT], place, { limit: 25, cursor })).rejects.toThrow(
      "must be the next_cursor",
    );
  await expect(readPage([PREVIOUS], PLACE, { limit: 25, cursor })).rejects.toThrow("must be the next_cursor");
});

test("filters count as they are, in any order, and those not given do not count", async () => {
  const cursor = await cursorOf(CURRENT);
  const same = { ...PLACE, filters: { customer_id: 7, q: undefined, status: "paid" } };
  expect(await readPage([CURRENT], same, { limit: 1, cursor })).toMatchObject({ after: [9] });
});

test("a cursor signed with the previous master key still works", async () => {
  const cursor = await cursorOf(PREVIOUS);
  expect(await readPage([CURRENT, PREVIOUS], PLACE, { limit: 1, cursor })).toMatchObject({ after: [9] });
});

test.each(["", ".", "a.b", "a.b.c", "..", "\u0905.x"])("%j is no cursor", async (cursor) => {
  await expect(readPage([CURRENT], PLACE, { limit: 1, cursor })).rejects.toThrow("must be the next_cursor");
});

test("a cursor of which any one character was changed, left out or added is refused, compared in constant time", async () => {
  const compare = vi.spyOn(crypto.subtle, "timingSafeEqual");
  const cursor = await cursorOf(CURRENT);
  for (const at of cursor.split("").keys())
    for (const put of ["", cursor[at] === "A" ? "B" : "A", `A${cursor[at]}`, cursor[at] === "." ? "" : "."]) {
      const changed = cursor.slice(0, at) + put + cursor.slice(at + 1);
      compare.mockClear();
      await expect(readPage([CURRENT], PLACE, { limit: 1, cursor: changed }), changed).rejects.toMatchObject({
        code: "invalid_cursor",
        status: 422,
      });
      // Two digests of one length, wherever the texts differ; a text of three parts is none at all.
      const parts = changed.split(".").length;
      expect(compare, changed).toHaveBeenCalledTimes(parts > 2 ? 0 : 1);
      for (const [one, other] of compare.mock.calls)
        expect([one.byteLength, other.byteLength]).toEqual([32, 32]);
    }
  compare.mockRestore();
});
