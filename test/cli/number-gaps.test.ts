import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { unnumbered } from "#integrity/invariants/numbers.ts";

type Gap = [after: number, through: number];

/** Whether the invariant holds of these places in a series, its counter and its noted gaps. */
function holds(places: readonly number[], counter: number, gaps: readonly Gap[]): boolean {
  const database = new DatabaseSync(":memory:");
  database.exec(`CREATE TABLE documents (number TEXT); CREATE TABLE number_series (series, period, last);
    CREATE TABLE number_gaps (series, period, after, through);
    INSERT INTO number_series VALUES ('document', '26-27', ${counter}), ('other', '26-27', 99);
    INSERT INTO number_gaps VALUES ('other', '26-27', 0, 99)`);
  for (const place of places)
    database.prepare("INSERT INTO documents VALUES (?)").run(`INV/26-27/${String(place).padStart(5, "0")}`);
  for (const [after, through] of gaps)
    database.prepare("INSERT INTO number_gaps VALUES ('document', '26-27', ?, ?)").run(after, through);
  const found = database
    .prepare(unnumbered({ series: "document", table: "documents", number: "number" }))
    .all();
  database.close();
  return found.length === 0;
}

test.each<[string, number[], number, Gap[]]>([
  ["no gap", [1, 2, 3], 3, []],
  ["nothing given", [], 0, []],
  ["a noted gap at the end", [1, 2], 5, [[2, 5]]],
  ["a noted gap with numbers after it", [1, 2, 6, 7], 7, [[2, 5]]],
  ["a noted gap at the beginning", [], 4, [[0, 4]]],
  [
    "two noted gaps",
    [1, 4, 7],
    8,
    [
      [1, 3],
      [4, 6],
      [7, 8],
    ],
  ],
])("%s is sound", (_, places, counter, gaps) => {
  expect(holds(places, counter, gaps)).toBe(true);
});

test.each<[string, number[], number, Gap[]]>([
  ["a gap that is not noted", [1, 3], 3, []],
  ["a gap beside a noted one", [1, 2, 7], 7, [[2, 5]]],
  ["a number twice", [1, 1, 2], 3, []],
  ["a counter before the end of a gap", [1, 2], 2, [[2, 5]]],
  ["a counter after it", [1, 2], 6, [[2, 5]]],
  ["a document within a gap", [1, 2, 4, 7], 7, [[2, 5]]],
  ["a counter without documents", [], 3, []],
  ["a counter without documents above its gap", [], 5, [[0, 4]]],
  ["numbers missing before a gap without documents", [], 5, [[2, 5]]],
])("%s is found", (_, places, counter, gaps) => {
  expect(holds(places, counter, gaps)).toBe(false);
});
