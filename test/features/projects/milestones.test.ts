import { describe, expect, test } from "vitest";
import { must } from "../../support/company.ts";
import { pagesOf } from "../../support/pages.ts";
import { refusedFields, setClock } from "../commerce.ts";
import { expectRefused } from "../refusal.ts";
import { type MilestoneRecord, openBoard } from "./board.ts";

const TODAY = "2026-12-05";

const board = await openBoard({}, { timezone: "Asia/Kolkata" });
await setClock(board.company, "2026-12-04T18:30:00Z");

const patch = async (id: number, body: Record<string, unknown>) =>
  must(await board.call<MilestoneRecord>("PATCH", `/milestones/${id}`, { body }), 200).body.data;
const refused = async (id: number, body: Record<string, unknown>) =>
  refusedFields(await board.call("PATCH", `/milestones/${id}`, { body }));

describe("a milestone", () => {
  test("is flat, and begins pending", async () => {
    expect(await board.milestone({ name: "M1" })).toEqual({
      id: expect.any(Number),
      name: "M1",
      description: null,
      start_date: null,
      due_date: null,
      status: "pending",
      completed_date: null,
      is_overdue: false,
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
    });
    expectRefused(await board.call("POST", "/milestones", { body: { name: "M", status: "late" } }), {
      status: "invalid_value",
    });
  });

  test("goes from any status to the given one", async () => {
    const { id } = await board.milestone();
    for (const status of ["completed", "overdue", "in_progress", "overdue", "completed", "pending"])
      expect((await patch(id, { status })).status).toBe(status);
  });

  test("entering completed stamps completed_date if not sent; leaving completed clears it", async () => {
    const { id } = await board.milestone();
    expect((await patch(id, { status: "completed" })).completed_date).toBe(TODAY);
    expect((await patch(id, { status: "pending" })).completed_date).toBeNull();
    expect((await patch(id, { status: "completed", completed_date: "2026-01-31" })).completed_date).toBe(
      "2026-01-31",
    );
    expect((await patch(id, { status: "completed" })).completed_date).toBe("2026-01-31");
    expect((await patch(id, { name: "Renamed" })).completed_date).toBe("2026-01-31");
    expect((await patch(id, { completed_date: "2026-02-01" })).completed_date).toBe("2026-02-01");
    expect((await patch(id, { status: "in_progress", completed_date: null })).completed_date).toBeNull();
    expect((await board.milestone({ status: "completed" })).completed_date).toBe(TODAY);
  });

  test("has a completed_date only while it is completed", async () => {
    const { id } = await board.milestone();
    const problem = { completed_date: "not_completed" };
    expect(await refused(id, { completed_date: "2026-01-31" })).toEqual(problem);
    expect(await refused(id, { status: "pending", completed_date: "2026-01-31" })).toEqual(problem);
    const body = { name: "M", completed_date: "2026-01-31" };
    expectRefused(await board.call("POST", "/milestones", { body }), problem);
    expect(await refused(id, { start_date: "2026-02-02", due_date: "2026-02-01" })).toEqual({
      due_date: "before_start_date",
    });
  });

  test("is overdue from the midnight of the company's zone after its due date, whatever its status says", async () => {
    const own = await openBoard({}, { timezone: "Asia/Kolkata" });
    const { id } = await own.milestone({ due_date: "2026-12-04", status: "overdue" });
    const done = await own.milestone({ due_date: "2026-12-01", status: "completed" });
    const read = async () =>
      (await own.read<MilestoneRecord[]>("/milestones")).map((one) => [one.id, one.status, one.is_overdue]);
    await setClock(own.company, "2026-12-04T18:25:00Z");
    expect(await read()).toEqual([
      [done.id, "completed", false],
      [id, "overdue", false],
    ]);
    await setClock(own.company, "2026-12-04T18:30:00Z");
    expect(await read()).toEqual([
      [done.id, "completed", false],
      [id, "overdue", true],
    ]);
  });
});

test("the list is by due date, those without one last, and its pages neither repeat nor leave out", async () => {
  const own = await openBoard();
  const dates = ["2026-12-01", null, "2026-11-01", null, "2026-12-01", "2026-11-15", null];
  const made: number[] = [];
  for (const due_date of dates) made.push((await own.milestone({ due_date })).id);
  const pages = await pagesOf<MilestoneRecord>(own.company, own.path("/milestones"), { limit: "2" });
  expect(pages.flat().map(({ id }) => id)).toEqual([2, 5, 0, 4, 1, 3, 6].map((index) => made[index]));
});
