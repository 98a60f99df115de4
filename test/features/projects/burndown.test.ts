import { beforeAll, describe, expect, test } from "vitest";
import { chartOf } from "../../../src/features/projects/sprints/chart.ts";
import { must, type TestCompany } from "../../support/company.ts";
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

describe("the burn-down of a sprint", () => {
  let company: TestCompany;
  beforeAll(async () => {
    ({ company } = await openBoard({}, { timezone: "Asia/Kolkata" }));
  });

  test("burns only what is completed; resolved stays, removed leaves the scope from that day, reopened comes back", async () => {
    const board = await newBoard(company);
    await noon(board, "2026-11-01");
    const { id: sprint_id } = await board.sprint();
    const [five, three, two] = [
      await board.item({ sprint_id, story_points: 5 }),
      await board.item({ sprint_id, story_points: 3 }),
      await board.item({ sprint_id, story_points: 2 }),
    ];
    await noon(board, "2026-11-02");
    must(await board.start(sprint_id), 200);

    await noon(board, "2026-11-03");
    must(await board.move(five.id, { status: "done" }), 200);
    must(await board.move(three.id, { status: "resolved" }), 200);
    expect(await rowsOf(board, sprint_id)).toEqual([
      ["2026-11-02", 10, 0, 10],
      ["2026-11-03", 5, 5, 10],
      ["2026-11-04", null, null, null],
      ["2026-11-05", null, null, null],
      ["2026-11-06", null, null, null],
    ]);

    await noon(board, "2026-11-04");
    const eight = await board.item({ sprint_id, story_points: 8 });
    must(await board.patch(two.id, { story_points: 4 }), 200);
    await noon(board, "2026-11-05");
    must(await board.move(eight.id, { status: "cancelled" }), 200);
    must(await board.move(five.id, { status: "in_progress" }), 200);
    await noon(board, "2026-11-06");
    must(await board.move(five.id, { status: "done" }), 200);
    must(await board.move(three.id, { status: "done" }), 200);

    const points = [
      ["2026-11-02", 10, 0, 10],
      ["2026-11-03", 5, 5, 10],
      ["2026-11-04", 15, 5, 20],
      ["2026-11-05", 12, 0, 12],
      ["2026-11-06", 4, 8, 12],
    ];
    expect(await rowsOf(board, sprint_id)).toEqual(points);
    expect(await rowsOf(board, sprint_id, "items")).toEqual([
      ["2026-11-02", 3, 0, 3],
      ["2026-11-03", 2, 1, 3],
      ["2026-11-04", 3, 1, 4],
      ["2026-11-05", 3, 0, 3],
      ["2026-11-06", 1, 2, 3],
    ]);
    expect((await board.burndown(sprint_id)).map(({ ideal }) => ideal)).toEqual([10, 7.5, 5, 2.5, 0]);

    const next = (await board.sprint({ start_date: "2026-11-09", end_date: "2026-11-13" })).id;
    must(await board.complete(sprint_id, next), 200);
    expect(await rowsOf(board, sprint_id)).toEqual(points);
    await noon(board, "2026-11-09");
    must(await board.move(five.id, { status: "new" }), 200);
    must(await board.patch(three.id, { story_points: 100, sprint_id: null }), 200);
    must(await board.move(two.id, { status: "done" }), 200);
    expect(await rowsOf(board, sprint_id)).toEqual(points);
    expect((await rowsOf(board, next))[0]).toEqual(["2026-11-09", 0, 4, 4]);
  });

  test("of 30 items, 2 done, completed with spill-over still shows a scope of 30", async () => {
    const board = await newBoard(company);
    await noon(board, "2026-11-02");
    const { id: sprint_id } = await board.sprint();
    const items = await Promise.all(
      Array.from({ length: 30 }, () => board.item({ sprint_id, story_points: 1 })),
    );
    must(await board.start(sprint_id), 200);
    await noon(board, "2026-11-04");
    for (const { id } of items.slice(0, 2)) must(await board.move(id, { status: "done" }), 200);
    await noon(board, "2026-11-06");
    const next = await board.sprint({ start_date: "2026-11-09", end_date: "2026-11-13" });
    const completed = must(await board.complete(sprint_id, next.id), 200).body.data;
    expect(completed.totals).toEqual({ items: 30, completed: 2, points: 30, completed_points: 2 });
    for (const unit of ["points", "items"])
      expect(await rowsOf(board, sprint_id, unit)).toEqual(
        DATES.map((date) => (date < "2026-11-04" ? [date, 30, 0, 30] : [date, 28, 2, 30])),
      );
    expect((await board.items(`sprint_id=${next.id}&limit=100`)).length).toBe(28);
  });

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
    const answer = must(await board.call("GET", `/sprints/${id}/burndown`), 200);
    expect(answer.body.data).toMatchObject({ sprint_id: id, unit: "points" });
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
