import { describe, expect, test } from "vitest";
import { must } from "../../support/company.ts";
import { expectSound } from "../../support/oracles.ts";
import { times } from "../money.ts";
import { expectRefused, refusal } from "../refusal.ts";
import { openBoard } from "./board.ts";

const HOUR = 3_600;
/** The clock runs on between two calls: so many seconds more may have passed. */
const SLACK = 30;

// Tests that move the clock or change the settings do so in `own`.
const [board, own] = await Promise.all([openBoard(), openBoard()]);

const seconds = (instant: string | null) => Math.floor(Date.parse(instant ?? "") / 1_000);

test("status_history has each state change, with how long the item sat in the previous state", async () => {
  const made = await own.item();
  await own.company.clock(HOUR);
  const begun = must(await own.move(made.id, { status: "in_progress", comment: "Begun" }), 200).body.data;
  await own.company.clock(2.5 * HOUR);
  const done = must(await own.move(made.id, { status: "done" }), 200).body.data;
  await own.company.clock(2.5 * HOUR + 600);
  const reopened = must(await own.move(made.id, { state: "Reopened", state_category: "in_progress" }), 200)
    .body.data;
  await own.company.clock(3 * HOUR);
  const item = await own.get(made.id);

  expect(item.status_history).toEqual([
    {
      id: expect.any(Number),
      from_state: "New",
      from_category: "proposed",
      to_state: "In progress",
      to_category: "in_progress",
      status: "in_progress",
      changed_at: begun.state_changed_at,
      duration_seconds: seconds(begun.state_changed_at) - seconds(made.created_at),
      comment: "Begun",
      changed_by: null,
      key_name: expect.any(String),
    },
    expect.objectContaining({ from_state: "In progress", to_state: "Done", status: "done", comment: null }),
    expect.objectContaining({ from_state: "Done", to_state: "Reopened", status: null }),
  ]);
  const nominal = [HOUR, 1.5 * HOUR, 600];
  for (const [index, { duration_seconds: duration }] of item.status_history.entries()) {
    expect(duration).toBeGreaterThanOrEqual((nominal[index] ?? 0) - 1);
    expect(duration).toBeLessThan((nominal[index] ?? 0) + SLACK);
  }
  expect(item.time_in_current_state_seconds).toBeGreaterThanOrEqual(1_199);
  expect(item.time_in_current_state_seconds).toBeLessThan(1_200 + SLACK);

  expect([begun.started_at, begun.finished_at]).toEqual([begun.state_changed_at, null]);
  expect([done.started_at, done.finished_at]).toEqual([begun.started_at, done.state_changed_at]);
  expect([reopened.started_at, reopened.finished_at]).toEqual([begun.started_at, null]);
  await expectSound(own.company);
});

describe("a transition", () => {
  test("goes from any state to any", async () => {
    const { id } = await board.item();
    const statuses = [
      "done",
      "new",
      "cancelled",
      "resolved",
      "on_hold",
      "in_qa",
      "in_progress",
      "cancelled",
      "done",
    ];
    for (const status of statuses) must(await board.move(id, { status }), 200);
    const { status_history: history } = await board.get(id);
    expect(history.map(({ status }) => status)).toEqual(statuses);
  });

  test("to the given state and category writes both as given; the slug only where they are a configured status", async () => {
    const { id } = await board.item();
    const to = async (state: string, state_category: string) => {
      const moved = must(await board.move(id, { state, state_category }), 200).body.data;
      return [moved.state, moved.state_category, moved.status];
    };
    expect(await to("Partial", "in_progress")).toEqual(["Partial", "in_progress", null]);
    expect(await to("Done", "in_progress")).toEqual(["Done", "in_progress", null]);
    expect(await to("done", "completed")).toEqual(["done", "completed", "done"]);
  });

  test("entering completed stamps the finish time, moving on within completed keeps it, leaving it clears it", async () => {
    await own.company.clock(0);
    const { id } = await own.item({ status: "done" });
    const { finished_at: finished } = await own.get(id);
    await own.company.clock(60);
    const accepted = must(await own.move(id, { state: "Accepted", state_category: "completed" }), 200).body
      .data;
    expect(accepted).toMatchObject({ finished_at: finished, status_history: [{ from_state: "Done" }] });
    expect(must(await own.move(id, { status: "resolved" }), 200).body.data.finished_at).toBeNull();
    expect(must(await own.move(id, { status: "done" }), 200).body.data.finished_at).not.toBe(finished);
  });

  test("to the state it is in writes no history and changes nothing, but stores the comment", async () => {
    const made = await board.item();
    for (const body of [{ status: "new" }, { state: "nEW" }, { state: "new", state_category: "proposed" }]) {
      const same = must(await board.move(made.id, { ...body, comment: "Looked at it" }), 200).body.data;
      expect(same).toMatchObject({ status_history: [], version: 1, updated_at: made.updated_at });
    }
    const thread = must(await board.call<{ body: string }[]>("GET", `/work-items/${made.id}/comments`), 200);
    expect(thread.body.data.map(({ body }) => body)).toEqual(Array(3).fill("Looked at it"));
  });

  test("to the name of its state, once the company has configured that, is to the configured status", async () => {
    const { id } = await own.item({ state: "Waiting", state_category: "proposed" });
    const body = { name: "Waiting", category: "proposed" };
    await own.company.make("/settings/:company/work-item-statuses", body);
    for (const status of ["waiting", "waiting"]) {
      const moved = must(await own.move(id, { status }), 200).body.data;
      expect(moved).toMatchObject({ state: "Waiting", status: "waiting", version: 2 });
      expect(moved.status_history).toMatchObject([{ from_state: "Waiting", status: "waiting" }]);
    }
    await expectSound(own.company);
  });

  test("names one state: a status, or a state with its category", async () => {
    const { id } = await board.item();
    const refused: [Record<string, unknown>, Record<string, string>][] = [
      [{ status: "done", state: "Done" }, { state: "conflicting_fields" }],
      [{ state_category: "completed" }, { state: "required" }],
      [{ status: "done", state_category: "completed" }, { state: "required" }],
      [{ comment: "Only said" }, { "": "required" }],
      [{ state: "" }, { state: "too_small" }],
      [{ state: "x".repeat(101), state_category: "completed" }, { state: "too_big" }],
      [{ state: "Done", state_category: "finished" }, { state_category: "invalid_value" }],
      [{ status: "done", comment: " \n " }, { comment: "too_small" }],
      [{ status: "done", comment: "x".repeat(10_001) }, { comment: "too_big" }],
    ];
    for (const [body, fields] of refused) expectRefused(await board.move(id, body), fields);
    expect((await board.get(id)).version).toBe(1);
  });

  test("the state cannot be changed by PATCH", async () => {
    const { id } = await board.item();
    for (const body of [{ status: "done" }, { state_category: "completed", state: "Done" }])
      expect(await board.patch(id, body)).toMatchObject(refusal(422, "no_accepted_fields"));
    must(await board.patch(id, { title: "Renamed", status: "done" }), 200);
    expect(await board.get(id)).toMatchObject({ title: "Renamed", status: "new", status_history: [] });
  });
});

test("of two moves whose clocks disagree the later commit is the later change", async () => {
  await own.company.clock(0);
  const { id } = await own.item();
  await own.company.clock(HOUR);
  const first = must(await own.move(id, { status: "in_progress" }), 200).body.data;
  await own.company.clock(0);
  const second = must(await own.move(id, { status: "done" }), 200).body.data;
  expect(second.finished_at).toBe(first.state_changed_at);
  expect(second.status_history[1]).toMatchObject({ from_state: "In progress", duration_seconds: 0 });
  await expectSound(own.company);
});

test("ten at once to one state write one row, and ten to and fro a chain that ends where the item is", async () => {
  const same = await board.item();
  await times(10, () => board.move(same.id, { status: "done" }));
  expect((await board.get(same.id)).status_history.length).toBe(1);
  const swung = await board.item();
  await times(10, (index) => board.move(swung.id, { status: index % 2 === 0 ? "done" : "new" }));
  await expectSound(board.company);
});

test("history and items stay, in the database itself", async () => {
  for (const statement of [
    "UPDATE status_history SET to_state = 'X'",
    "DELETE FROM status_history",
    "DELETE FROM work_items",
  ])
    await expect(board.company.rows(statement)).rejects.toThrow("append_only");
});
