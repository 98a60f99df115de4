import { expect, it } from "vitest";
import type { Paper } from "#integrity/paper.ts";
import { PAPER_TABLES } from "#integrity/papers.ts";
import { migratedDatabase } from "#tenancy/migrations/migrated-database.ts";

function columnsOf(table: string): string[] {
  return migratedDatabase("company")
    .prepare(`SELECT name FROM pragma_table_xinfo('${table}') ORDER BY name`)
    .all()
    .map(({ name }) => String(name));
}

/** The columns that a paper leaves out, or names and does not have. `id` names the paper. */
function differences({ final, changes }: Paper, columns: readonly string[]): string[] {
  return [...new Set(["id", ...final, ...Object.keys(changes)]).symmetricDifference(new Set(columns))];
}

it("finds a column of which a paper does not say whether it changes", () => {
  const paper: Paper = { kind: "invoice", final: ["total"], changes: { status: "it is sent" } };
  expect(differences(paper, ["id", "total", "status", "new_column"])).toEqual(["new_column"]);
});

it.each(Object.entries(PAPER_TABLES))("says of each column of %s whether it changes", (table, paper) => {
  expect(differences(paper, columnsOf(table))).toEqual([]);
  const { lines } = paper;
  if (lines === undefined) return;
  expect(lines.final.concat(lines.paper).toSorted()).toEqual(columnsOf(lines.table));
});

it("erases nothing of a final column but what it leaves out of it", () => {
  for (const { final, erasable = {} } of Object.values(PAPER_TABLES))
    expect(Object.keys(erasable).every((column) => final.includes(column))).toBe(true);
});
