import { describe, expect, test } from "vitest";
import { must } from "../../support/company.ts";
import { soundAtEnd } from "../../support/oracles.ts";
import { refusedFields } from "../commerce.ts";
import { times } from "../money.ts";
import { openBoard } from "./board.ts";

const board = soundAtEnd(await openBoard());

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
    const odd = await board.patch(id, { title: "X" }, { headers: { "If-Match": 'W/"x"' } });
    expect(refusedFields(odd)).toEqual({ "If-Match": "invalid_version" });
  });

  test("lets one of ten changes to a version win", async () => {
    const { id } = await board.item();
    const answers = await times(10, (index) => board.patch(id, { title: `T${index}`, expected_version: 1 }));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)]);
  });
});
