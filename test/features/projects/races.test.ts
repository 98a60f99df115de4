import { expect, test } from "vitest";
import type { Answer } from "../../support/http.ts";
import { expectSound } from "../../support/oracles.ts";
import { tally, times } from "../money.ts";
import { newBoard, openBoard } from "./board.ts";

/** Calls again, as a client does, where a busy machine had no turn for a call within 12 seconds: it did nothing. */
async function untilServed<Data>(call: () => Promise<Answer<Data>>): Promise<Answer<Data>> {
  const answer = await call();
  return answer.status === 503 ? untilServed(call) : answer;
}

test("of 160 items made at once the 120 of one project are 1 to 120 without a duplicate, and so in the other", async () => {
  const board = await openBoard({ code: "ONE" });
  const other = await newBoard(board.company, { code: "TWO" });
  const [made, others] = await Promise.all([
    times(120, () => untilServed(() => board.postItem())),
    times(40, () => untilServed(() => other.postItem())),
  ]);
  expect(tally([...made, ...others])).toEqual({ 201: 160 });
  // They are numbered from 1 without gap.
  await expectSound(board.company);
});

test("an item refused takes no number", async () => {
  const board = await openBoard({ code: "GAP" });
  await times(10, (index) => board.postItem(index % 2 === 0 ? {} : { area_id: 999_999 }));
  expect((await board.item()).reference).toBe("GAP-6");
});

test("of two items put under each other at once exactly one is", async () => {
  const board = await openBoard();
  for (let round = 0; round < 10; round += 1) {
    const [a, b] = [await board.item(), await board.item()];
    const answers = await Promise.all([
      board.patch(a.id, { parent_id: b.id }),
      board.patch(b.id, { parent_id: a.id }),
    ]);
    expect(tally(answers)).toEqual({ 200: 1, 422: 1 });
  }
  await expectSound(board.company);
});

test("of 10 changes of points and 10 transitions at once none is lost, and the sprint adds up", async () => {
  const board = await openBoard();
  const { id: sprint_id } = await board.sprint();
  const { id } = await board.item({ sprint_id, story_points: 1 });
  await Promise.all([
    ...Array.from({ length: 10 }, (_, index) => board.patch(id, { story_points: index + 2 })),
    ...Array.from({ length: 10 }, (_, index) =>
      board.move(id, { status: index % 2 === 0 ? "done" : "cancelled" }),
    ),
  ]);
  const item = await board.get(id);
  expect(item.version).toBe(1 + 10 + item.status_history.length);
  await expectSound(board.company);
});

test("a status deleted while items move to it is either in use or no target", async () => {
  const board = await openBoard();
  for (let round = 0; round < 10; round += 1) {
    const body = { name: `Round ${round}`, category: "in_progress" };
    const path = "/settings/:company/work-item-statuses";
    const { id, slug } = await board.company.make<{ id: number; slug: string }>(path, body);
    const item = await board.item();
    const [deleted, moved] = await Promise.all([
      board.company.call("DELETE", `${path}/${id}`),
      board.move(item.id, { status: slug }),
    ]);
    expect([deleted.status, moved.status].sort()).toEqual(deleted.status === 200 ? [200, 422] : [200, 409]);
    expect(["unknown_state", "in_use"]).toContain(
      deleted.status === 200 ? moved.body.code : deleted.body.code,
    );
  }
  await expectSound(board.company);
});
