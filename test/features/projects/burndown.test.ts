import { describe, expect, test } from "vitest";
import { chartOf } from "../../../src/features/projects/sprints/chart.ts";
import { must } from "../../support/company.ts";
import { refusedFields, setClock } from "../commerce.ts";
import { type Board, newBoard, openBoard } from "./board.ts";

const DATES = ["2026-11-02", "2026-11-03", "2026-11-04", "2026-11-05", "2026-11-06"];

/** The chart as rows of date, remaining, completed, scope. */
const rowsOf = async (board: Board, id: number, unit?: string) =>
  (await board.burndown(id, unit)).map(({ date, remaining, completed, scope }) => [
    date,
    remaining,
    completed,
    scope,
  ]);
const noon = (board: Board, date: string) => setClock(board.company, `${date}T12:00:00+05:30`);

describe("the burn-down of a sprint", async () => {
  const { company } = await openBoard({}, { timezone: "Asia/Kolkata" });

  test("counts a change on its day in the company's time zone", async () => {
    for (const [timezone, before, after] of [
      ["Asia/Kolkata", "2026-11-03T18:29:00Z", "2026-11-03T18:30:00Z"],
      ["Asia/Kathmandu", "2026-11-03T18:14:00Z", "2026-11-03T18:15:00Z"],
      ["America/New_York", "2026-11-04T04:59:00Z", "2026-11-04T05:00:00Z"],
    ] as const) {
      const board = timezone === "Asia/Kolkata" ? await newBoard(company) : await openBoard({}, { timezone });
      await setClock(board.company, "2026-11-02T12:00:00Z");
      const { id: sprint_id } = await board.sprint();
      const items = [await board.item({ sprint_id }), await board.item({ sprint_id })];
      must(await board.start(sprint_id), 200);
      for (const [index, instant] of [before, after].entries()) {
        await setClock(board.company, instant);
        must(await board.move(items[index]?.id ?? 0, { status: "done" }), 200);
      }
      expect((await rowsOf(board, sprint_id, "items")).slice(0, 3), timezone).toEqual([
        ["2026-11-02", 2, 0, 2],
        ["2026-11-03", 1, 1, 2],
        ["2026-11-04", 0, 2, 2],
      ]);
    }
  });

  test("goes on past its end date until the sprint is completed, and ends with it where that is sooner", async () => {
    const board = await newBoard(company);
    await noon(board, "2026-11-02");
    const late = await board.sprint();
    await board.item({ sprint_id: late.id });
    must(await board.start(late.id), 200);
    await noon(board, "2026-11-08");
    expect((await board.burndown(late.id)).map(({ date }) => date)).toEqual([
      ...DATES,
      "2026-11-07",
      "2026-11-08",
    ]);
    must(await board.complete(late.id), 200);
    const early = await board.sprint({ start_date: "2026-11-08", end_date: "2026-11-10" });
    must(await board.start(early.id), 200);
    must(await board.complete(early.id), 200);
    await noon(board, "2026-11-30");
    expect((await board.burndown(late.id)).length).toBe(7);
    expect(await rowsOf(board, early.id)).toEqual([
      ["2026-11-08", 0, 0, 0],
      ["2026-11-09", null, null, null],
      ["2026-11-10", null, null, null],
    ]);
  });

  test("is in points or items", async () => {
    const board = await newBoard(company);
    const { id } = await board.sprint();
    expect(refusedFields(await board.call("GET", `/sprints/${id}/burndown?unit=hours`))).toEqual({
      unit: "invalid_value",
    });
    expect(await board.read(`/sprints/${id}/burndown`)).toMatchObject({ sprint_id: id, unit: "points" });
  });
});

describe("the chart", () => {
  const chart = { start: "2026-11-02", end: "2026-11-02", last: "2026-11-02", committed: 4 };

  test("of one day ends where it begins", () => {
    expect(chartOf(chart, [{ date: "2026-10-01", scope: 4, completed: 1 }])).toEqual([
      { date: "2026-11-02", remaining: 3, completed: 1, scope: 4, ideal: 0 },
    ]);
  });

  test("of a sprint to come has its ideal line only", () => {
    expect(chartOf({ ...chart, end: "2026-11-03", last: "2026-10-20" }, [])).toEqual([
      { date: "2026-11-02", remaining: null, completed: null, scope: null, ideal: 4 },
      { date: "2026-11-03", remaining: null, completed: null, scope: null, ideal: 0 },
    ]);
  });

  test("of a sprint that is never completed stops after a year", () => {
    expect(chartOf({ ...chart, last: "2999-12-31" }, []).length).toBe(366);
  });
});
