import { describe, expect, test } from "vitest";
import { must } from "../../support/company.ts";
import { soundAtEnd } from "../../support/oracles.ts";
import { refusedFields } from "../commerce.ts";
import { refusal } from "../refusal.ts";
import { newEmployee, openBoard } from "./board.ts";

const board = soundAtEnd(await openBoard({ code: "SHOP" }));

describe("a work item", () => {
  test("is one record type for all of epic, feature, user_story, task, bug, issue, test_case, each with the fields of any", async () => {
    const fields = {
      as_a: "customer",
      i_want: "to pay by UPI",
      so_that: "I need no card",
      acceptance_criteria: "A QR code is shown\nand works",
      repro_steps: "1. Open",
      severity: "critical",
    };
    for (const type of ["epic", "feature", "user_story", "task", "bug", "issue", "test_case"])
      expect(await board.item({ type, ...fields })).toMatchObject({ type, ...fields });
    expect(refusedFields(await board.postItem({ type: "story" }))).toEqual({ type: "invalid_value" });
  });

  test("needs a title only, and has all fields in every answer", async () => {
    const made = await board.item({ title: "  Only a title " });
    expect(made).toEqual({
      id: expect.any(Number),
      external_id: null,
      project_id: board.id,
      reference: `SHOP-${made.number}`,
      number: expect.any(Number),
      type: "task",
      title: "Only a title",
      description: null,
      priority: "medium",
      severity: null,
      state: "New",
      state_category: "proposed",
      status: "new",
      assigned_to: null,
      assignee: null,
      parent_id: null,
      iteration_id: null,
      sprint_id: null,
      area_id: null,
      story_points: null,
      estimated_hours: null,
      remaining_hours: null,
      start_date: null,
      due_date: null,
      tags: [],
      as_a: null,
      i_want: null,
      so_that: null,
      acceptance_criteria: null,
      repro_steps: null,
      created_at: expect.stringMatching(/Z$/),
      updated_at: made.created_at,
      state_changed_at: made.created_at,
      started_at: null,
      finished_at: null,
      created_by: null,
      created_by_key: expect.any(String),
      version: 1,
      time_in_current_state_seconds: 0,
      status_history: [],
    });
    const { status_history, time_in_current_state_seconds, ...listed } = made;
    expect((await board.items("limit=1"))[0]).toEqual(listed);
  });

  test("keeps points in halves and hours in thousandths, and refuses what it could not keep", async () => {
    expect(await board.item({ story_points: 2.5, estimated_hours: 1.125, remaining_hours: 0 })).toMatchObject(
      {
        story_points: 2.5,
        estimated_hours: 1.125,
        remaining_hours: 0,
      },
    );
    const refused = {
      story_points: [0.25, -1, 1000.5],
      estimated_hours: [-1, 0.0001],
      title: ["", "x".repeat(256)],
      description: ["x".repeat(20_001)],
      acceptance_criteria: ["x".repeat(20_001)],
      tags: [["a".repeat(51)], Array.from({ length: 21 }, (_, index) => `t${index}`)],
      due_date: ["2026-02-30"],
      priority: ["urgent"],
      severity: ["urgent"],
    };
    for (const [field, values] of Object.entries(refused))
      for (const value of values)
        expect(
          Object.keys(refusedFields(await board.postItem({ [field]: value })))[0],
          `${field} ${value}`,
        ).toMatch(new RegExp(`^${field}`));
  });

  test("is not due before it starts, whichever of the dates is changed", async () => {
    const before = { start_date: "2026-11-10", due_date: "2026-11-09" };
    expect(refusedFields(await board.postItem(before))).toEqual({ due_date: "before_start_date" });
    const { id } = await board.item({ start_date: "2026-11-10", due_date: "2026-11-10" });
    expect(refusedFields(await board.patch(id, { due_date: "2026-11-09" }))).toEqual({
      due_date: "before_start_date",
    });
    expect((await board.patch(id, { start_date: "2026-11-11" })).status).toBe(422);
    must(await board.patch(id, { start_date: null, due_date: "2026-11-09" }), 200);
  });

  test("may begin in any state; completed stamps the finish, and whatever is begun the start", async () => {
    const stamps = async (fields: Record<string, unknown>) => {
      const { started_at, finished_at, created_at } = await board.item(fields);
      return [started_at === created_at, finished_at === created_at];
    };
    expect(await stamps({ status: "on_hold" })).toEqual([false, false]);
    expect(await stamps({ status: "in_qa" })).toEqual([true, false]);
    expect(await stamps({ state: "Resolved" })).toEqual([true, false]);
    expect(await stamps({ state: "Shipped", state_category: "completed" })).toEqual([true, true]);
    expect(refusedFields(await board.postItem({ status: "done", state: "Done" }))).toEqual({
      state: "conflicting_fields",
    });
    expect(refusedFields(await board.postItem({ state_category: "completed" }))).toEqual({
      state: "required",
    });
  });

  test("changes only by the fields that are sent; null clears, and the version counts", async () => {
    const made = await board.item({ description: "Old", tags: ["a"], story_points: 3, type: "bug" });
    const body = { description: null, story_points: 5, type: "issue", unknown: 1 };
    const changed = must(await board.patch(made.id, body), 200).body.data;
    expect(changed).toEqual({
      ...made,
      description: null,
      story_points: 5,
      type: "issue",
      version: 2,
      updated_at: changed.updated_at,
      time_in_current_state_seconds: changed.time_in_current_state_seconds,
    });
    for (const field of ["title", "type", "priority", "tags"])
      expect(Object.keys(refusedFields(await board.patch(made.id, { [field]: null })))).toEqual([field]);
  });

  test("takes null to clear whatever it may be without", async () => {
    const [area, iteration, sprint, parent, employee] = await Promise.all([
      board.area("To clear"),
      board.iteration({ name: "To clear" }),
      board.sprint(),
      board.item(),
      newEmployee(board.company),
    ]);
    const fields = {
      description: "D",
      severity: "low",
      assigned_to: employee,
      parent_id: parent.id,
      iteration_id: iteration.id,
      sprint_id: sprint.id,
      area_id: area.id,
      story_points: 0.5,
      estimated_hours: 2,
      remaining_hours: 1,
      start_date: "2026-11-10",
      due_date: "2026-11-11",
      as_a: "A",
      i_want: "B",
      so_that: "C",
      acceptance_criteria: "D",
      repro_steps: "E",
    };
    const { id } = await board.item({ title: "Full" });
    expect(must(await board.patch(id, fields), 200).body.data).toMatchObject(fields);
    const cleared = Object.fromEntries(Object.keys(fields).map((name) => [name, null]));
    expect(must(await board.patch(id, cleared), 200).body.data).toMatchObject({ ...cleared, assignee: null });
  });

  test("stands under any other of its project, at most 14 levels deep", async () => {
    const chain = [await board.item({ type: "task" })];
    for (let level = 2; level <= 14; level += 1)
      chain.push(await board.item({ type: "epic", parent_id: chain.at(-1)?.id }));
    const deepest = chain.at(-1)?.id;
    expect(refusedFields(await board.postItem({ parent_id: deepest }))).toEqual({ parent_id: "too_deep" });
    const pair = await board.item();
    await board.item({ parent_id: pair.id });
    expect(refusedFields(await board.patch(pair.id, { parent_id: chain[12]?.id }))).toEqual({
      parent_id: "too_deep",
    });
    must(await board.patch(pair.id, { parent_id: chain[11]?.id }), 200);
    expect(await board.patch(chain[0]?.id ?? 0, { parent_id: pair.id })).toMatchObject(refusal(422, "cycle"));
    expect((await board.patch(pair.id, { parent_id: pair.id })).body.code).toBe("cycle");
  });

  test("keeps an assignee who later leaves, and the employee cannot be removed", async () => {
    const employee = await newEmployee(board.company, { name: "Devi" });
    const { id } = await board.item({ assigned_to: employee });
    const path = `/settings/:company/employees/${employee}`;
    expect(await board.company.call("DELETE", path)).toMatchObject({ status: 409, body: { code: "in_use" } });
    await board.company.change(path, { is_active: false });
    expect((await board.get(id)).assignee).toEqual({ id: employee, name: "Devi" });
    must(await board.patch(id, { assigned_to: null }), 200);
    must(await board.company.call("DELETE", path), 200);
  });
});
