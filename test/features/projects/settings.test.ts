import { describe, expect, test } from "vitest";
import { must, openCompany, type TestCompany } from "../../support/company.ts";
import { expectSound } from "../../support/oracles.ts";
import { expectRefused, refusal } from "../refusal.ts";
import { newBoard, newEmployee, openBoard } from "./board.ts";

type StatusRecord = {
  id: number;
  slug: string;
  name: string;
  category: string;
  position: number;
  is_default: boolean;
};
type MetaRecord = { statuses: Omit<StatusRecord, "id">[] } & Record<string, unknown>;

const STATUSES = "/settings/:company/work-item-statuses";
const EMPLOYEES = "/settings/:company/employees";

const meta = (company: TestCompany) => company.read<MetaRecord>("/projects/:company/meta");

// For what begins with the settings of a new company, or counts from what is there.
const plain = await openCompany();

test("the meta response has the work-item types, priorities, the five state categories, and the company's statuses, each with a slug", async () => {
  const answer = await meta(plain);
  const slugs = (member: string) => (answer[member] as { slug: string }[]).map(({ slug }) => slug);
  expect(slugs("work_item_types")).toEqual([
    "epic",
    "feature",
    "user_story",
    "task",
    "bug",
    "issue",
    "test_case",
  ]);
  const ranks = [
    { slug: "critical", name: "Critical", rank: 1 },
    { slug: "high", name: "High", rank: 2 },
    { slug: "medium", name: "Medium", rank: 3 },
    { slug: "low", name: "Low", rank: 4 },
  ];
  expect(answer.priorities).toEqual(ranks);
  expect(answer.severities).toEqual(ranks);
  expect(slugs("state_categories")).toEqual(["proposed", "in_progress", "resolved", "completed", "removed"]);
  expect(slugs("milestone_statuses")).toEqual(["pending", "in_progress", "completed", "overdue"]);
  expect(answer.iteration_types).toEqual(["release", "sprint", "week"]);
  expect(answer.statuses.map(({ slug, category, is_default }) => [slug, category, is_default])).toEqual([
    ["new", "proposed", true],
    ["on_hold", "proposed", false],
    ["in_progress", "in_progress", false],
    ["in_qa", "in_progress", false],
    ["resolved", "resolved", false],
    ["done", "completed", false],
    ["cancelled", "removed", false],
  ]);
});

describe("a status in the settings", async () => {
  const board = await openBoard();
  const { company } = board;
  const post = (body: Record<string, unknown>) => company.call<StatusRecord>("POST", STATUSES, { body });
  const add = async (body: Record<string, unknown>) => must(await post(body), 201).body.data;
  const patch = (id: number, body: Record<string, unknown>) =>
    company.call<StatusRecord>("PATCH", `${STATUSES}/${id}`, { body });
  const remove = (id: number) => company.call("DELETE", `${STATUSES}/${id}`);

  test("has a slug from its name unless it is sent, and the last place", async () => {
    expect(await add({ name: "Ready for Test!", category: "in_progress" })).toMatchObject({
      slug: "ready_for_test",
      position: 8,
      is_default: false,
    });
    expect(await add({ name: "தயார்", category: "proposed", slug: "ready", position: 0 })).toMatchObject({
      slug: "ready",
    });
    expect((await meta(company)).statuses[0]?.slug).toBe("ready");
    expect(await add({ name: "ready", category: "proposed" })).toMatchObject({ slug: "ready_2" });
    const taken = await post({ name: "Ready again", category: "proposed", slug: "ready" });
    expect(taken.body).toMatchObject({ code: "conflict", field: "slug" });
    const slugs = ["项目一唌", "测试厙"].map(
      async (name) => (await add({ name, category: "in_progress" })).slug,
    );
    expect((await Promise.all(slugs)).sort()).toEqual(["status", "status_2"]);
    expect((await post({ name: "in qa", category: "proposed", slug: "own" })).body.code).toBe(
      "duplicate_name",
    );
    expectRefused(await post({ name: "X", category: "proposed", slug: "In QA" }), { slug: "invalid_format" });
  });

  test("renamed shows in the items that are in it; their history keeps the name of its day", async () => {
    const { id, slug } = await add({ name: "Code review", category: "in_progress" });
    const item = await board.item();
    must(await board.move(item.id, { status: slug }), 200);
    must(await patch(id, { name: "Peer review" }), 200);
    expect(await board.get(item.id)).toMatchObject({
      state: "Peer review",
      status: slug,
      status_history: [{ to_state: "Code review" }],
      version: 3,
    });
  });

  test("keeps its category, and stays, while an item is in it", async () => {
    const { id, slug } = await add({ name: "Blocked", category: "proposed" });
    const item = await board.item({ status: slug });
    const inUse = { status: 409, body: { code: "in_use" } };
    expect(await patch(id, { category: "completed" })).toMatchObject(inUse);
    must(await patch(id, { category: "proposed", position: 3 }), 200);
    expect(await remove(id)).toMatchObject(inUse);
    must(await board.move(item.id, { status: "new" }), 200);
    must(await patch(id, { category: "completed" }), 200);
    must(await remove(id), 200);
    expect((await board.move(item.id, { status: slug })).body.code).toBe("unknown_state");
    expect((await board.get(item.id)).status_history[0]).toMatchObject({
      from_state: "Blocked",
      to_state: "New",
    });
  });

  test("is the default of new items in place of the one before, and there is always one", async () => {
    const own = await openBoard();
    const path = (id: number) => `${STATUSES}/${id}`;
    const body = { name: "Triage", category: "proposed", is_default: true };
    const made = await own.company.make<StatusRecord>(STATUSES, body);
    expect((await own.item()).status).toBe("triage");
    expect(await own.company.call("DELETE", path(made.id))).toMatchObject(refusal(409, "in_use"));
    expectRefused(await own.company.call("PATCH", path(made.id), { body: { is_default: false } }), {
      is_default: "invalid_value",
    });
    await own.company.change(path(1), { is_default: true });
    expect((await own.item()).status).toBe("new");
    const defaults = (await meta(own.company)).statuses.filter(({ is_default }) => is_default);
    expect(defaults.length).toBe(1);
    await expectSound(own.company);
  });
});

describe("employees", () => {
  test("are the assignees while they are active: by name, with four fields and nothing else, searched by q", async () => {
    const company = plain;
    await newEmployee(company, { name: "meera", employee_code: "E-2", designation: "Tester" });
    await newEmployee(company, { name: "Arjun", employee_code: "E-10" });
    await newEmployee(company, { name: "Zoya", is_active: false });
    const list = async (query = "") =>
      must(await company.call<Record<string, unknown>[]>("GET", `/projects/:company/assignees${query}`), 200)
        .body;
    expect(await list()).toEqual({
      success: true,
      data: [
        { id: 2, name: "Arjun", employee_code: "E-10", designation: null },
        { id: 1, name: "meera", employee_code: "E-2", designation: "Tester" },
      ],
    });
    for (const [q, names] of [
      ["MEE", ["meera"]],
      ["e-1", ["Arjun"]],
      ["%25", []],
      ["zoya", []],
    ] as const)
      expect((await list(`?q=${q}`)).data.map(({ name }) => name)).toEqual(names);
  });

  test("have a code of their own, in any case, or none", async () => {
    const company = plain;
    const count = async () => (await company.read<unknown[]>(EMPLOYEES)).length;
    const before = await count();
    await newEmployee(company, { employee_code: "E-1" });
    const twice = await company.call("POST", EMPLOYEES, { body: { name: "X", employee_code: "e-1" } });
    expect(twice).toMatchObject({ status: 409, body: { code: "conflict" } });
    for (const name of ["A", "B"]) await newEmployee(company, { name, employee_code: null });
    expect(await count()).toBe(before + 3);
  });

  test("are renamed in what is assigned to them", async () => {
    const board = await newBoard(plain);
    const id = await newEmployee(board.company, { name: "Old" });
    const item = await board.item({ assigned_to: id });
    await board.company.change(`${EMPLOYEES}/${id}`, { name: "New" });
    expect((await board.get(item.id)).assignee).toEqual({ id, name: "New" });
  });
});
