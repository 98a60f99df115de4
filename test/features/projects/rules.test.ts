import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { must } from "../../support/company.ts";
import { openSound, rowCounts } from "../../support/oracles.ts";
import { refusedFields } from "../commerce.ts";
import { newBoard, newEmployee } from "./board.ts";

// The rules of the specification's Projects part. The fifth is that of test/simulator/trees.test.ts. Others are those of all
// areas: the sixth, that every write takes an Idempotency-Key, of test/api/contract/replies.test.ts; the eighth, that an
// update needs no field but one, and the ninth, of bodies that are no JSON, of test/soak/requests.test.ts.
describe("in projects", async () => {
  const company = await openSound();
  const board = await newBoard(company, { code: "SHOP" });

  test("1. open_only=true excludes both completed and removed categories", async () => {
    const own = await newBoard(company);
    const states = ["new", "in_progress", "resolved", "done", "cancelled"];
    const items = await Promise.all(states.map((status) => own.item({ status })));
    const open = items.slice(0, 3).map(({ id }) => id);
    for (const value of ["true", "1"])
      expect((await own.items(`open_only=${value}`)).map(({ id }) => id).sort()).toEqual(open.sort());
    for (const query of ["", "open_only=false", "open_only=0"])
      expect((await own.items(query)).length).toBe(5);
    expect(refusedFields(await own.call("GET", "/work-items?open_only=yes"))).toEqual({
      open_only: "invalid_value",
    });
  });

  test("2. a client must not send a reference; references are issued per project", async () => {
    expect(refusedFields(await board.postItem({ reference: "SHOP-9" }))).toEqual({ reference: "read_only" });
    const { id } = await board.item();
    expect(refusedFields(await board.patch(id, { title: "X", reference: "SHOP-9" }))).toEqual({
      reference: "read_only",
    });
    expect((await board.patch(id, { reference: null })).status).toBe(422);
    const other = await newBoard(company, { code: `B${randomUUID().slice(0, 5).toUpperCase()}` });
    for (const number of [1, 2, 3]) expect((await other.item()).reference).toBe(`${other.code}-${number}`);
    expect((await board.item()).reference).toBe("SHOP-2");
  });

  test("3. assigned_to is an employee id from /assignees", async () => {
    const present = await newEmployee(company, { name: "Arjun" });
    const gone = await newEmployee(company, { name: "Bela", is_active: false });
    const listed = (await company.read<{ id: number }[]>("/projects/:company/assignees")).map(({ id }) => id);
    expect(listed).toContain(present);
    expect(listed).not.toContain(gone);
    const { id } = await board.item({ assigned_to: present });
    for (const assigned_to of [gone, 999_999]) {
      expect(refusedFields(await board.postItem({ assigned_to }))).toEqual({ assigned_to: "not_assignable" });
      expect(await board.patch(id, { assigned_to })).toMatchObject({ status: 422 });
    }
    expect(await board.get(id)).toMatchObject({
      assigned_to: present,
      assignee: { id: present, name: "Arjun" },
      version: 1,
    });
  });

  test("4. a status name the company has not configured, sent without its category, is refused", async () => {
    const { id } = await board.item();
    const before = await rowCounts(company);
    const refused = { status: 422, body: { code: "unknown_state" } };
    expect(await board.move(id, { state: "Waiting for Godot", comment: "Never stored" })).toMatchObject(
      refused,
    );
    expect(await board.move(id, { status: "waiting" })).toMatchObject(refused);
    expect(await board.postItem({ state: "Waiting for Godot" })).toMatchObject(refused);
    expect(await rowCounts(company)).toEqual(before);

    const named = must(await board.move(id, { state: "  in PROGRESS " }), 200).body.data;
    expect(named).toMatchObject({
      state: "In progress",
      state_category: "in_progress",
      status: "in_progress",
    });
    const own = must(await board.move(id, { state: "Waiting for Godot", state_category: "proposed" }), 200);
    expect(own.body.data).toMatchObject({
      state: "Waiting for Godot",
      state_category: "proposed",
      status: null,
    });
  });

  test("7. work created through a key records no user as author; a comment is signed with the key's name unless author is passed", async () => {
    const key = await company.makeKey({ name: "Board sync", scopes: ["projects.read", "projects.write"] });
    const made = must(await board.call("POST", "/work-items", { body: { title: "Synced" }, key }), 201).body
      .data;
    expect(made).toMatchObject({ created_by: null, created_by_key: "Board sync" });
    const comment = (body: Record<string, unknown>) =>
      board.call("POST", `/work-items/${made.id}/comments`, { body, key });
    expect(must(await comment({ body: "By key" }), 201).body.data).toMatchObject({ author: "Board sync" });
    expect(must(await comment({ body: "By Mira", author: "Mira" }), 201).body.data).toMatchObject({
      author: "Mira",
    });
    const moved = must(
      await board.call("POST", `/work-items/${made.id}/transition`, { body: { status: "done" }, key }),
      200,
    );
    expect(moved.body.data).toMatchObject({ status_history: [{ changed_by: null, key_name: "Board sync" }] });
  });
});
