import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { NoTurn, WriteLine } from "#core/database/write-line.ts";

const PATIENCE_MS = 5_000;

test.each([1, 16])("%d write at a time, and each has its turn", async (mostWriters) => {
  const line = new WriteLine(mostWriters);
  const begun: number[] = [];
  let writing = 0;
  let most = 0;
  const writers = Array.from({ length: 60 }, (_, index) =>
    line.take(PATIENCE_MS, async () => {
      begun.push(index);
      writing += 1;
      most = Math.max(most, writing);
      await sleep(index % 7);
      writing -= 1;
      return index;
    }),
  );
  expect(await Promise.all(writers)).toEqual(Array.from({ length: 60 }, (_, index) => index));
  expect(most).toBe(mostWriters);
  if (mostWriters === 1) expect(begun).toEqual(begun.toSorted((one, other) => one - other));
  expect(line.isIdle).toBe(true);
});

test("who fails leaves the line too", async () => {
  const line = new WriteLine(16);
  const failing = () => Promise.reject(new Error("refused"));
  const writers = Array.from({ length: 40 }, () => line.take(PATIENCE_MS, failing));
  const outcomes = await Promise.allSettled(writers);
  expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(["rejected"]));
  expect(line.isIdle).toBe(true);
});

test("who gets no turn in time is refused, and never does the work", async () => {
  const line = new WriteLine(16);
  const holders = Array.from({ length: 16 }, () => line.take(PATIENCE_MS, () => sleep(600)));
  let isDone = false;
  await expect(line.take(200, async () => (isDone = true))).rejects.toThrow(NoTurn);
  await Promise.all(holders);
  expect(isDone).toBe(false);
  expect(line.isIdle).toBe(true);
});

test("those that never leave, as calls that were cut off, hold a turn for its time only", async () => {
  const line = new WriteLine(16, 1_000);
  for (let index = 0; index < 16; index += 1) void line.take(PATIENCE_MS, () => new Promise(() => {}));
  const startedAt = performance.now();
  await line.take(PATIENCE_MS, async () => {});
  const waited = performance.now() - startedAt;
  expect(waited).toBeGreaterThan(900);
  expect(waited).toBeLessThan(PATIENCE_MS);
});
