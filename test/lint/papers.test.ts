import { hash } from "node:crypto";
import { getTableName } from "drizzle-orm";
import { expect, it } from "vitest";
import { columnNames } from "#core/sql/columns.ts";
import { PAPER_TABLES, PAPERS } from "#integrity/papers.ts";

/** What is kept of each kind of paper, as SHA-256: digests that exist are of it. */
const KEPT: Record<string, string> = {
  invoice: "b2bdfa7b74d65ca7",
  payment: "cd70de8b498bd54f",
  credit_note: "6de04cddf6d87987",
  credit_payout: "2788ccf958c20dea",
  journal_entry: "99d7948de513820f",
  stock_movement: "34507c215e9ce9c1",
  gateway_capture: "667c26327a0f27c2",
  gateway_refund: "b02059569fb03c31",
  settlement: "d6019bb5d5072031",
  advance: "c071ef87f9d15178",
  credit_application: "fc9683515cee7985",
  lesson_receipt: "b856f4725498bc8c",
  account: "bae854e529ab74e2",
  settled_captures: "184c210ebeb5b11d",
};

// Say of a new column in `changes` why it may change, or give it digests of a kind of its own.
it.each(PAPERS)("keeps the same columns of each $kind as the digests that exist", ({ kind, text }) => {
  expect(hash("sha256", text).slice(0, 16)).toBe(KEPT[kind]);
});

it("keeps of no kind of paper less than before", () => {
  expect(PAPERS.map(({ kind }) => kind)).toEqual(Object.keys(KEPT));
});

it.each(PAPER_TABLES.map((paper) => ({ ...paper, name: getTableName(paper.table) })))(
  "says of no column that $name does not have that it changes, and erases nothing of one that does",
  ({ table, changes, erasable = {} }) => {
    const columns = columnNames(table);
    expect(
      [...Object.keys(changes), ...Object.keys(erasable)].filter((one) => !columns.includes(one)),
    ).toEqual([]);
    expect(Object.keys(erasable).filter((column) => column in changes)).toEqual([]);
  },
);
