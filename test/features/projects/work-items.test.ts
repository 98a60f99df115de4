import { beforeAll, describe, expect, test } from "vitest";
import { must } from "../../support/company.ts";
import { expectSound } from "../../support/oracles.ts";
import { refusedFields } from "../commerce.ts";
import { type Board, newBoard, newEmployee, openBoard } from "./board.ts";

let board: Board;
beforeAll(async () => {
  board = await openBoard({ code: "SHOP" });
});

describe("a work item", () => {
  test("is one record type for all of epic, feature, user_story, task, bug, issue, test_case, selected by type", async () => {
    for (const type of ["epic", "feature", "user_story", "task", "bug", "issue", "test_case"])
      expect(await board.item({ type })).toMatchObject({ type });
    expect(refusedFields(await board.postItem({ type: "story" }))).toEqual({ type: "invalid_value" });
  });

  test("needs a title only, and has all fields in every answer", async () => {
    const made = await board.item({ title: "  Only a title " });
    expect(made).toEqual({
      id: expect.any(Number),
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

  test("takes type-specific fields on any type", async () => {
    const fields = {
      as_a: "customer",
      i_want: "to pay by UPI",
      so_that: "I need no card",
      acceptance_criteria: "A QR code is shown\nand works",
      repro_steps: "1. Open",
      severity: "critical",
    };
    for (const type of ["epic", "bug", "user_story"])
      expect(await board.item({ type, ...fields })).toMatchObject({ type, ...fields });
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
    expect(await board.patch(chain[0]?.id ?? 0, { parent_id: pair.id })).toMatchObject({
      status: 422,
      body: { code: "cycle" },
    });
    expect((await board.patch(pair.id, { parent_id: pair.id })).body.code).toBe("cycle");
  });

  test("keeps an assignee who later leaves, and the employee cannot be removed", async () => {
    const employee = await newEmployee(board.company, { name: "Devi" });
    const { id } = await board.item({ assigned_to: employee });
    const path = `/settings/:company/employees/${employee}`;
    expect(await board.company.call("DELETE", path)).toMatchObject({ status: 409, body: { code: "in_use" } });
    must(await board.company.call("PATCH", path, { body: { is_active: false } }), 200);
    expect((await board.get(id)).assignee).toEqual({ id: employee, name: "Devi" });
    must(await board.patch(id, { assigned_to: null }), 200);
    must(await board.company.call("DELETE", path), 200);
  });
});

describe("the optimistic lock", () => {
  test("refuses a change meant for another version, in the body or by If-Match", async () => {
    const { id } = await board.item();
    const conflict = { status: 409, body: { code: "version_conflict" } };
    must(await board.patch(id, { title: "Second", expected_version: 1 }), 200);
    expect(await board.patch(id, { title: "Third", expected_version: 1 })).toMatchObject(conflict);
    const stale = { headers: { "If-Match": '"1"' } };
    expect(await board.patch(id, { title: "Third" }, stale)).toMatchObject(conflict);
    expect(await board.move(id, { status: "done" }, stale)).toMatchObject(conflict);
    expect(await board.move(id, { status: "done", expected_version: 1 })).toMatchObject(conflict);
    expect(await board.get(id)).toMatchObject({ title: "Second", status: "new", version: 2 });

    const etag = (await board.call("GET", `/work-items/${id}`)).headers.get("ETag") ?? "";
    expect(etag).toBe('"2"');
    const moved = must(await board.move(id, { status: "done" }, { headers: { "If-Match": etag } }), 200);
    expect(moved.headers.get("ETag")).toBe('"3"');
    must(await board.patch(id, { title: "Fourth" }, { headers: { "If-Match": "*" } }), 200);
    must(await board.patch(id, { title: "Last write wins" }), 200);
    must(await board.patch(id, { title: "Weak" }, { headers: { "If-Match": 'W/"5"' } }), 200);
    for (const value of ['""', 'W/""', "1", '"0"', '"x"', 'W/"x"', 'w/"6"'])
      expect(
        refusedFields(await board.patch(id, { title: "X" }, { headers: { "If-Match": value } })),
      ).toEqual({ "If-Match": "invalid_version" });
  });

  test("lets one of ten changes to a version win", async () => {
    const { id } = await board.item();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => board.patch(id, { title: `T${index}`, expected_version: 1 })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)]);
  });
});

describe("the list", () => {
  let own: Board;
  let made: { id: number; reference: string }[];
  let ids: Record<"area" | "below" | "iteration" | "sprint" | "employee", number>;
  const found = async (query: string) => (await own.items(`limit=100&${query}`)).map(({ id }) => id);

  beforeAll(async () => {
    own = await newBoard(board.company, { code: "LIST" });
    const area = await own.area("Area");
    ids = {
      area: area.id,
      below: (await own.area("Below", area.id)).id,
      iteration: (await own.iteration({ name: "R1" })).id,
      sprint: (await own.sprint()).id,
      employee: await newEmployee(own.company),
    };
    made = [];
    const first = await own.item({ title: "Ship it", type: "epic", area_id: ids.area });
    for (const fields of [
      { title: "Pay by UPI", type: "bug", area_id: ids.below, parent_id: first.id },
      { title: "100 % of_it", type: "task", iteration_id: ids.iteration, status: "in_qa" },
      { title: "Zahlung Überweisung", type: "bug", sprint_id: ids.sprint, status: "done" },
      { title: "Nobody", type: "issue", assigned_to: ids.employee, status: "cancelled" },
    ])
      made.push(await own.item(fields));
    made.unshift(first);
  });

  test.each<[string, number[]]>([
    ["", [4, 3, 2, 1, 0]],
    ["type=bug", [3, 1]],
    ["type=bug,epic", [3, 1, 0]],
    ["type=bug,bug,issue", [4, 3, 1]],
    ["open_only=true", [2, 1, 0]],
    ["open_only=true&type=bug,task", [2, 1]],
    ["state_category=in_progress", [2]],
    ["status=done", [3]],
    ["status=nothing", []],
    ["q=upi", [1]],
    ["q=UPI&type=epic", []],
    ["q=LIST-3", [2]],
    ["q=it", [2, 0]],
    ["q=%25", [2]],
    ["q=f_i", [2]],
    ["q=berweis", [3]],
    ["q=%22", []],
    ["updated_since=2020-01-01T00:00:00Z", [0, 1, 2, 3, 4]],
    ["updated_since=2099-01-01T00:00:00%2B05:30", []],
    ["updated_since=2020-01-01T00:00:00Z&type=bug,epic", [0, 1, 3]],
    ["updated_since=2020-01-01T00:00:00Z&q=ship", [0]],
  ])("by ?%s", async (query, expected) => {
    expect(await found(query)).toEqual(expected.map((index) => made[index]?.id));
  });

  test("by what an item belongs to; an area alone, or with all below it", async () => {
    const expected: [string, number[]][] = [
      [`area_id=${ids.area}`, [0]],
      [`area_id=${ids.area}&area_subtree=true`, [1, 0]],
      [`area_id=${ids.area}&area_subtree=1&type=epic,task`, [0]],
      [`area_id=${ids.below}&area_subtree=true`, [1]],
      [`area_id=999999&area_subtree=true`, []],
      [`iteration_id=${ids.iteration}`, [2]],
      [`sprint_id=${ids.sprint}`, [3]],
      [`assigned_to=${ids.employee}`, [4]],
      [`parent_id=${made[0]?.id}`, [1]],
      [`area_id=${ids.area}&area_subtree=true&q=pay`, [1]],
    ];
    for (const [query, indexes] of expected)
      expect(await found(query), query).toEqual(indexes.map((index) => made[index]?.id));
  });

  test.each([
    ["type=story", "type[0]"],
    ["type=", "type[0]"],
    ["state_category=done", "state_category"],
    ["assigned_to=x", "assigned_to"],
    ["updated_since=yesterday", "updated_since"],
    ["updated_since=2026-11-21", "updated_since"],
    ["area_subtree=yes", "area_subtree"],
    ["page=2", "page"],
  ])("refuses ?%s", async (query, field) => {
    const answer = await own.call("GET", `/work-items?${query}`);
    expect(answer.status).toBe(422);
    expect(Object.keys(refusedFields(answer))).toEqual([field]);
  });

  test("with updated_since gives an item that changes meanwhile again, at the end", async () => {
    const since = "updated_since=2020-01-01T00:00:00Z&limit=2";
    const first = must(await own.call<{ id: number }[]>("GET", `/work-items?${since}`), 200).body;
    must(await own.patch(made[0]?.id ?? 0, { priority: "high" }), 200);
    const seen = first.data.map(({ id }) => id);
    for (let cursor = first.paging.next_cursor; cursor !== null; ) {
      const path = `/work-items?${since}&cursor=${encodeURIComponent(cursor)}`;
      const next = must(await own.call<{ id: number }[]>("GET", path), 200).body;
      seen.push(...next.data.map(({ id }) => id));
      cursor = next.paging.next_cursor;
    }
    expect(seen).toEqual([0, 1, 2, 3, 4, 0].map((index) => made[index]?.id));
  });

  test("250 items are walked in 3 pages, none twice and none left out while 50 are made in between", async () => {
    const long = await newBoard(board.company, { code: "LONG" });
    const expected: number[] = [];
    for (let batch = 0; batch < 25; batch += 1)
      expected.push(
        ...(await Promise.all(Array.from({ length: 10 }, () => long.item()))).map(({ id }) => id),
      );
    const seen: number[] = [];
    const sizes: number[] = [];
    let cursor = "";
    for (;;) {
      const { data, paging } = must(
        await long.call<{ id: number }[]>("GET", `/work-items?limit=100${cursor}`),
        200,
      ).body;
      sizes.push(data.length);
      seen.push(...data.map(({ id }) => id));
      if (paging.next_cursor === null) break;
      cursor = `&cursor=${encodeURIComponent(paging.next_cursor)}`;
      await Promise.all(Array.from({ length: 25 }, () => long.item()));
    }
    expect(sizes).toEqual([100, 100, 50]);
    expect(seen).toEqual(expected.sort((a, b) => b - a));
  });
});

test("all of this left the records sound", () => expectSound(board.company));
