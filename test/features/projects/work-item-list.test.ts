import { describe, expect, test } from "vitest";
import { soundAtEnd } from "../../support/oracles.ts";
import { refusedFields } from "../commerce.ts";
import { idsOf } from "../narrowed.ts";
import { newEmployee, openBoard } from "./board.ts";

describe("the list", async () => {
  const own = soundAtEnd(await openBoard({ code: "LIST" }));
  const found = async (query: string) => (await own.items(`limit=100&${query}`)).map(({ id }) => id);
  const area = await own.area("Area");
  const ids = {
    area: area.id,
    below: (await own.area("Below", area.id)).id,
    iteration: (await own.iteration({ name: "R1" })).id,
    sprint: (await own.sprint()).id,
    employee: await newEmployee(own.company),
  };
  const first = await own.item({ title: "Ship it", type: "epic", area_id: ids.area });
  const made = [first];
  for (const fields of [
    { title: "Pay by UPI", type: "bug", area_id: ids.below, parent_id: first.id },
    { title: "100 % of_it", type: "task", iteration_id: ids.iteration, status: "in_qa" },
    { title: "Zahlung Überweisung", type: "bug", sprint_id: ids.sprint, status: "done" },
    { title: "Nobody", type: "issue", assigned_to: ids.employee, status: "cancelled" },
  ])
    made.push(await own.item(fields));

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
  ])("refuses ?%s", async (query, field) => {
    const answer = await own.call("GET", `/work-items?${query}`);
    expect(answer.status).toBe(422);
    expect(Object.keys(refusedFields(answer))).toEqual([field]);
  });

  test("with updated_since gives an item that changes meanwhile again, at the end", async () => {
    const since = { updated_since: "2020-01-01T00:00:00Z", limit: "2" };
    const seen = await idsOf(own.company, own.path("/work-items"), since, () =>
      own.patch(made[0]?.id ?? 0, { priority: "high" }),
    );
    expect(seen).toEqual([0, 1, 2, 3, 4, 0].map((index) => String(made[index]?.id)));
  });
});
