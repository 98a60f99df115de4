import { expect, test } from "vitest";
import { must } from "../../support/company.ts";
import { refusedFields } from "../commerce.ts";
import { openBoard } from "./board.ts";

type CommentRecord = { id: number; body: string; author: string; created_at: string };

const board = await openBoard();
const { id } = await board.item();

const add = (body: Record<string, unknown>, item = id) =>
  board.call<CommentRecord>("POST", `/work-items/${item}/comments`, { body });
const list = async (query = "", item = id) =>
  must(await board.call<CommentRecord[]>("GET", `/work-items/${item}/comments?${query}`), 200).body;

test("is_internal is not accepted, whatever its value: a public comment must not look like a note", async () => {
  for (const value of [true, false, null, "1"])
    expect(refusedFields(await add({ body: "Between us", is_internal: value }))).toEqual({
      is_internal: "not_accepted",
    });
  expect((await list()).data.map(({ body }) => body)).not.toContain("Between us");
});

test("comment reads return the public thread only; internal notes are not returned", async () => {
  const item = (await board.item()).id;
  must(await add({ body: "Public" }, item), 201);
  await board.company.rows(
    `INSERT INTO work_item_comments (operation, work_item_id, body, author, is_internal, created_at)
      VALUES ('app', ?, 'Internal', 'Mira', 1, 1)`,
    item,
  );
  expect((await list("", item)).data.map(({ body }) => body)).toEqual(["Public"]);
  must(await board.move(item, { status: "done", comment: "Said among ourselves" }), 200);
  await board.company.rows("UPDATE work_item_comments SET is_internal = 1 WHERE work_item_id = ?", item);
  expect((await board.get(item)).status_history).toMatchObject([{ to_state: "Done", comment: null }]);
});

test("a comment is kept as it was sent", async () => {
  for (const body of ["  <b>two</b>\r\n\tlines & more  ", "x".repeat(10_000), "😀"]) {
    const made = must(await add({ body }), 201).body.data;
    expect(made).toEqual({
      id: made.id,
      body,
      author: expect.any(String),
      created_at: expect.stringMatching(/Z$/),
    });
  }
  expect(refusedFields(await add({ body: "x".repeat(10_001) }))).toEqual({ body: "too_big" });
  expect(refusedFields(await add({ body: "" }))).toEqual({ body: "too_small" });
  expect(refusedFields(await add({ body: "a\u0000b" }))).toEqual({ body: "invalid_characters" });
  expect(refusedFields(await add({ body: "x", author: "y".repeat(121) }))).toEqual({ author: "too_big" });
});

test("the thread is listed oldest first, by pages, also while it grows", async () => {
  const item = (await board.item()).id;
  for (let index = 0; index < 5; index += 1) must(await add({ body: `${index}` }, item), 201);
  const first = await list("limit=3", item);
  must(await add({ body: "5" }, item), 201);
  const second = await list(`limit=3&cursor=${encodeURIComponent(first.paging.next_cursor ?? "")}`, item);
  expect([...first.data, ...second.data].map(({ body }) => body)).toEqual(["0", "1", "2", "3", "4", "5"]);
  expect(second.paging).toEqual({ next_cursor: null, has_more: false });
});
