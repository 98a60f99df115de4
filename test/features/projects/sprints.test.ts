import { describe, expect, test } from "vitest";
import { must } from "../../support/company.ts";
import { expectSound } from "../../support/oracles.ts";
import { refusedFields } from "../commerce.ts";
import { times } from "../money.ts";
import { newBoard, openBoard, type SprintRecord } from "./board.ts";

const board = await openBoard();

const read = (id: number, on = board) => on.read<SprintRecord>(`/sprints/${id}`);
const patch = (id: number, body: Record<string, unknown>, on = board) =>
  on.call<SprintRecord>("PATCH", `/sprints/${id}`, { body });

describe("a sprint", () => {
  test("begins planned and empty", async () => {
    const made = await board.make<SprintRecord>("/sprints", { name: "S1" });
    expect(made).toEqual({
      id: made.id,
      name: "S1",
      goal: null,
      iteration_id: null,
      status: "planned",
      start_date: null,
      end_date: null,
      started_at: null,
      completed_at: null,
      totals: { items: 0, completed: 0, points: 0, completed_points: 0 },
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
    });
    expect((await board.burndown(made.id)).length).toBe(0);
  });

  test("ends after it starts, and at most a year later", async () => {
    const dates = (start_date: string, end_date: string) => ({ name: "S", start_date, end_date });
    const post = async (body: Record<string, unknown>) =>
      refusedFields(await board.call("POST", "/sprints", { body }));
    expect(await post(dates("2026-11-02", "2026-11-01"))).toEqual({ end_date: "before_start_date" });
    expect(await post(dates("2026-11-02", "2027-11-03"))).toEqual({ end_date: "too_big" });
    const { id } = await board.sprint(dates("2026-11-02", "2027-11-02"));
    expect(refusedFields(await patch(id, { end_date: "2026-11-01" }))).toEqual({
      end_date: "before_start_date",
    });
  });

  test("needs both dates to start, and once started keeps both", async () => {
    const own = await newBoard(board.company);
    const { id } = await own.sprint({ end_date: null });
    const missing = { start_date: "required", end_date: "required" };
    expect(refusedFields(await own.start(id))).toEqual(missing);
    must(await patch(id, { end_date: "2026-11-06" }, own), 200);
    const started = must(await own.start(id), 200).body.data;
    expect(started).toMatchObject({ status: "active", started_at: expect.stringMatching(/Z$/) });
    expect(refusedFields(await patch(id, { start_date: null }, own))).toEqual(missing);
  });

  test("goes from planned to active to completed, each once", async () => {
    const own = await newBoard(board.company);
    const { id } = await own.sprint();
    const wrong = { status: 409, body: { code: "invalid_status" } };
    expect(await own.complete(id)).toMatchObject(wrong);
    must(await own.start(id), 200);
    expect(await own.start(id)).toMatchObject(wrong);
    expect(must(await own.complete(id), 200).body.data).toMatchObject({
      status: "completed",
      completed_at: expect.stringMatching(/Z$/),
    });
    expect(await own.complete(id)).toMatchObject(wrong);
    expect(await own.start(id)).toMatchObject(wrong);
  });

  test("is the one active sprint of its project", async () => {
    const own = await newBoard(board.company);
    const sprints = await times(5, () => own.sprint());
    const answers = await Promise.all(sprints.map(({ id }) => own.start(id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe("active_sprint_exists");
    const elsewhere = await newBoard(board.company);
    must(await elsewhere.start((await elsewhere.sprint()).id), 200);
  });

  test("counts its items and points, without what is removed", async () => {
    const own = await newBoard(board.company);
    const { id: sprint_id } = await own.sprint();
    const expectTotals = async (totals: SprintRecord["totals"]) =>
      expect((await read(sprint_id, own)).totals).toEqual(totals);
    const first = await own.item({ sprint_id, story_points: 5 });
    await own.item({ sprint_id, story_points: 2.5, status: "done" });
    await own.item({ sprint_id, story_points: 8, status: "cancelled" });
    await own.item({ sprint_id });
    await expectTotals({ items: 3, completed: 1, points: 7.5, completed_points: 2.5 });
    must(await own.move(first.id, { status: "resolved" }), 200);
    expect((await read(sprint_id, own)).totals.completed).toBe(1);
    must(await own.move(first.id, { status: "done" }), 200);
    await expectTotals({ items: 3, completed: 2, points: 7.5, completed_points: 7.5 });
    must(await own.patch(first.id, { story_points: null }), 200);
    must(await own.move(first.id, { status: "cancelled" }), 200);
    await expectTotals({ items: 2, completed: 1, points: 2.5, completed_points: 2.5 });
  });
});

describe("completing a sprint", () => {
  test("moves what is neither completed nor removed, to the sprint named or to none", async () => {
    for (const hasTarget of [true, false]) {
      const own = await newBoard(board.company);
      const { id: sprint_id } = await own.sprint();
      const target = hasTarget ? (await own.sprint()).id : null;
      const items = await Promise.all(
        ["new", "in_qa", "resolved", "done", "cancelled"].map((status) =>
          own.item({ status, sprint_id, story_points: 1 }),
        ),
      );
      must(await own.start(sprint_id), 200);
      const { totals } = await read(sprint_id, own);
      const completed = must(await own.complete(sprint_id, target), 200).body.data;
      expect(completed.totals).toEqual(totals);
      const places = await Promise.all(items.map(async ({ id }) => (await own.get(id)).sprint_id));
      expect(places).toEqual([target, target, target, sprint_id, sprint_id]);
      expect((await own.get(items[0]?.id ?? 0)).version).toBe(2);
      if (target !== null) expect((await read(target, own)).totals.items).toBe(3);
    }
    await expectSound(board.company);
  });

  test("refuses a target that is completed, is the sprint itself, or is not there", async () => {
    const own = await newBoard(board.company);
    const done = (await own.sprint()).id;
    must(await own.start(done), 200);
    must(await own.complete(done), 200);
    const { id } = await own.sprint();
    await own.item({ sprint_id: id });
    must(await own.start(id), 200);
    for (const target of [done, id, 999_999])
      expect(refusedFields(await own.complete(id, target))).toEqual({ move_open_to: "not_open" });
    expect((await read(id, own)).status).toBe("active");
  });

  test("leaves only its name and goal to be edited, and takes no item any more", async () => {
    const own = await newBoard(board.company);
    const { id } = await own.sprint();
    must(await own.start(id), 200);
    must(await own.complete(id), 200);
    must(await patch(id, { name: "Renamed", goal: "Met" }, own), 200);
    for (const body of [{ start_date: "2026-11-01" }, { end_date: "2026-11-30" }, { iteration_id: null }])
      expect(await patch(id, body, own)).toMatchObject({ status: 409, body: { code: "invalid_status" } });
    expect(refusedFields(await own.postItem({ sprint_id: id }))).toEqual({ sprint_id: "not_open" });
    const item = await own.item();
    expect(refusedFields(await own.patch(item.id, { sprint_id: id }))).toEqual({ sprint_id: "not_open" });
  });

  test("while items are added leaves none of them in it open", async () => {
    const own = await newBoard(board.company);
    const { id: sprint_id } = await own.sprint();
    await times(5, () => own.item({ sprint_id }));
    must(await own.start(sprint_id), 200);
    const [completed, ...added] = await Promise.all([
      own.complete(sprint_id),
      ...Array.from({ length: 10 }, () => own.postItem({ sprint_id })),
    ]);
    expect(completed.status).toBe(200);
    for (const { status } of added) expect([201, 422]).toContain(status);
    expect(await own.items(`sprint_id=${sprint_id}&open_only=true`)).toEqual([]);
    await expectSound(board.company);
  });
});

test("the log of a sprint's scope stays, in the database itself", async () => {
  await board.item({ sprint_id: (await board.sprint()).id });
  for (const statement of ["UPDATE sprint_scope_log SET points = 9", "DELETE FROM sprint_scope_log"])
    await expect(board.company.rows(statement)).rejects.toThrow("append_only");
});

test("a sprint is completed without a body too: what is open is left without one", async () => {
  for (const options of [{}, { body: "" }, { body: {} }]) {
    const { id } = await board.sprint();
    const item = await board.item({ sprint_id: id });
    must(await board.start(id), 200);
    const answer = await board.call<SprintRecord>("POST", `/sprints/${id}/complete`, options);
    expect(answer).toMatchObject({ status: 200, body: { data: { status: "completed" } } });
    expect((await board.get(item.id)).sprint_id).toBeNull();
  }
  await expectSound(board.company);
});
