import { describe, expect, test } from "vitest";
import { classify, NotCommitted } from "#core/database/failure.ts";
import { groupEnds, groupSteps } from "#core/database/group.ts";
import type { BatchReply, Condition, Step } from "#core/database/protocol.ts";

const GROUP = ["a", "b", "c"].map((name) =>
  [1, 2].map((place) => ({ sql: `${name}${place}`, want_rows: true })),
);
const RESULT = { cols: [], rows: [], affected_row_count: 0 };

/** Runs the steps as the server does, but for those that fail, each with the code that is given. */
function run(steps: readonly Step[], failing: Record<string, string>) {
  const reply: BatchReply = { step_results: [], step_errors: [] };
  const ran: string[] = [];
  const seen: Record<string, number> = {};
  const holds = (condition: Condition | undefined): boolean => {
    if (condition === undefined) return true;
    if (condition.type === "ok") return reply.step_results[condition.step] !== null;
    return condition.type === "not" ? !holds(condition.cond) : condition.conds.every(holds);
  };
  for (const { stmt, condition } of steps) {
    // The second SAVEPOINT is "SAVEPOINT batch 2".
    seen[stmt.sql] = (seen[stmt.sql] ?? 0) + 1;
    const code = failing[stmt.sql] ?? failing[`${stmt.sql} ${seen[stmt.sql]}`];
    const isRun = holds(condition);
    if (isRun) ran.push(stmt.sql);
    reply.step_results.push(isRun && code === undefined ? RESULT : null);
    reply.step_errors.push(isRun && code !== undefined ? { message: "SQLite error: no", code } : null);
  }
  return { reply, ran };
}

function endsOf(failing: Record<string, string>, group = GROUP) {
  const { reply, ran } = run(groupSteps(group), failing);
  const ends = groupEnds(group, reply).map((end) => ("error" in end ? end.error : "done"));
  return { ran, ends };
}

const notCommitted = Array(3).fill(expect.any(NotCommitted));

describe("a group of batches", () => {
  test("goes in one transaction", () => {
    const { ran, ends } = endsOf({});
    const each = (name: string) => ["SAVEPOINT batch", `${name}1`, `${name}2`, "RELEASE batch"];
    expect(ran).toEqual(["BEGIN IMMEDIATE", ...["a", "b", "c"].flatMap(each), "COMMIT"]);
    expect(ends).toEqual(["done", "done", "done"]);
  });

  test.each([
    ["a SAVEPOINT", { "SAVEPOINT batch 2": "SQLITE_NOMEM" }],
    ["a RELEASE", { "RELEASE batch 2": "SQLITE_IOERR" }],
    [
      "a statement that ends the transaction",
      { b2: "SQLITE_FULL", "ROLLBACK TO batch": "SQLITE_ERROR", "RELEASE batch 2": "SQLITE_ERROR" },
    ],
  ])("runs nothing more where %s fails, and none of it is done", (_, failing) => {
    const { ran, ends } = endsOf(failing);
    expect(ran).not.toContain("c1");
    expect(ran).not.toContain("COMMIT");
    expect(ran.at(-1)).toBe("ROLLBACK");
    expect(ends).toEqual(notCommitted);
  });

  test("is not done where the COMMIT fails, a refused batch neither: it may have been refused for what is taken back", () => {
    expect(endsOf({ COMMIT: "SQLITE_FULL", b1: "SQLITE_CONSTRAINT" }).ends).toEqual(notCommitted);
    for (const error of endsOf({ COMMIT: "SQLITE_INTERRUPT" }).ends)
      expect(classify(error)).toEqual({ kind: "unknown" });
  });

  test("that could not begin says why", () => {
    const { ran, ends } = endsOf({ "BEGIN IMMEDIATE": "SQLITE_BUSY" });
    expect(ran).toEqual(["BEGIN IMMEDIATE", "ROLLBACK"]);
    expect(ends.map(classify)).toEqual(Array(3).fill({ kind: "busy" }));
  });
});

test("a lone batch is a plain transaction, and taken back where a statement or the COMMIT fails", () => {
  const lone = GROUP.slice(0, 1);
  expect(endsOf({}, lone)).toEqual({ ran: ["BEGIN IMMEDIATE", "a1", "a2", "COMMIT"], ends: ["done"] });
  expect(endsOf({ a1: "SQLITE_CONSTRAINT" }, lone)).toEqual({
    ran: ["BEGIN IMMEDIATE", "a1", "ROLLBACK"],
    ends: [expect.objectContaining({ code: "SQLITE_CONSTRAINT" })],
  });
  expect(endsOf({ COMMIT: "SQLITE_FULL" }, lone).ends).toEqual([
    expect.objectContaining({ code: "SQLITE_FULL" }),
  ]);
});
