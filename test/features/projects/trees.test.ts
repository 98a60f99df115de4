import { describe, expect, test } from "vitest";
import { must } from "../../support/company.ts";
import { refusedFields } from "../commerce.ts";
import { expectRefused } from "../refusal.ts";
import { type Board, type NodeRecord, newBoard, openBoard } from "./board.ts";

const { company } = await openBoard();

describe.each(["areas", "iterations"])("%s", async (tree) => {
  const board = await newBoard(company);
  const post = (body: Record<string, unknown>, on = board) =>
    on.call<NodeRecord>("POST", `/${tree}`, { body });
  const add = async (name: string, parent_id: number | null = null, on = board) =>
    must(await post({ name, parent_id }, on), 201).body.data;
  const patch = (id: number, body: Record<string, unknown>, on = board) =>
    on.call<NodeRecord>("PATCH", `/${tree}/${id}`, { body });
  const paths = async (on: Board) =>
    (await on.read<NodeRecord[]>(`/${tree}?limit=100`)).map(({ path }) => path);

  test("are a tree, nested by parent_id, and returned with id, parent_id, name and path", async () => {
    const top = await add("Payments");
    const below = await add("UPI", top.id);
    expect(top).toMatchObject({ id: top.id, parent_id: null, name: "Payments", path: "Payments" });
    expect(below).toMatchObject({ id: below.id, parent_id: top.id, name: "UPI", path: "Payments/UPI" });
    if (tree === "areas") expect(Object.keys(below)).toEqual(["id", "parent_id", "name", "path"]);
  });

  test("path is derived from ancestry and is read-only; it cannot be sent", async () => {
    const { id } = await add("Derived");
    expectRefused(await post({ name: "Sent", path: "Sent" }), { path: "read_only" });
    expect(refusedFields(await patch(id, { path: "Sent" }))).toHaveProperty("path", "read_only");
    expectRefused(await patch(id, { name: "Sent", path: null }), { path: "read_only" });
  });

  test("a renamed node shows in the paths of all below it", async () => {
    const own = await newBoard(board.company);
    const top = await add("A", null, own);
    const middle = await add("B", top.id, own);
    await add("C", middle.id, own);
    must(await patch(top.id, { name: "Z" }, own), 200);
    expect(await paths(own)).toEqual(["Z", "Z/B", "Z/B/C"]);
    must(await patch(middle.id, { parent_id: null }, own), 200);
    expect(await paths(own)).toEqual(["Z", "B", "B/C"]);
  });

  test("a name is unique among its siblings in any case, and free elsewhere", async () => {
    const top = await add("Unique");
    const taken = { status: 409, body: { code: "duplicate_name" } };
    expect(await post({ name: "UNIQUE" })).toMatchObject(taken);
    const below = await add("unique", top.id);
    expect(await patch(below.id, { parent_id: null })).toMatchObject(taken);
    expect(await patch(below.id, { parent_id: null, name: "Now free" })).toMatchObject({ status: 200 });
    await add("Unique", null, await newBoard(board.company));
    for (const name of ["a/b", "a\\b"]) expectRefused(await post({ name }), { name: "invalid_characters" });
    expectRefused(await post({ name: "x".repeat(256) }), { name: "too_big" });
    expectRefused(await post({ name: " " }), { name: "too_small" });
  });

  test("has at most 14 levels", async () => {
    let { id } = await add("1");
    for (let level = 2; level <= 14; level += 1) ({ id } = await add(`${level}`, id));
    expectRefused(await post({ name: "15", parent_id: id }), { parent_id: "too_deep" });
  });
});

test("an iteration is a release, sprint or week, with dates that need not lie within its parent's", async () => {
  const board = await newBoard(company);
  const release = await board.iteration({
    name: "R1",
    type: "release",
    start_date: "2026-11-01",
    end_date: "2026-11-30",
  });
  for (const type of ["sprint", "week", null]) {
    const node = {
      name: `N ${type}`,
      type,
      parent_id: release.id,
      start_date: "2027-01-01",
      end_date: "2027-01-01",
    };
    expect(await board.iteration(node)).toMatchObject({
      ...node,
      project_id: board.id,
      path: `R1/N ${type}`,
    });
  }
  const post = (body: Record<string, unknown>) => board.call("POST", "/iterations", { body });
  expectRefused(await post({ name: "X", type: "month" }), { type: "invalid_value" });
  expectRefused(await post({ name: "X", start_date: "2026-11-02", end_date: "2026-11-01" }), {
    end_date: "before_start_date",
  });
});
