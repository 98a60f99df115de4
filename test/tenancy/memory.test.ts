import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { Memory } from "#tenancy/memory.ts";

const NOW = 1_795_000_000_000;
const failing = () => Promise.reject(new Error("unreachable"));

/** Look-ups that take a moment, and how many there were. */
function looks() {
  const counted = {
    made: 0,
    look: async () => {
      counted.made += 1;
      await sleep(10);
      return counted.made;
    },
  };
  return counted;
}

test("all that ask at once are answered by one look-up", async () => {
  const memory = new Memory<number>();
  const counted = looks();
  const found = await Promise.all(Array.from({ length: 50 }, () => memory.recall("key", NOW, counted.look)));
  expect(new Set(found)).toEqual(new Set([1]));
  expect(counted.made).toBe(1);
});

test("who waits for a look-up that was cut off reads by itself after a quarter of a second", async () => {
  const memory = new Memory<number>();
  void memory.recall("key", NOW, () => new Promise(() => {}));
  const startedAt = performance.now();
  const found = await Promise.all(Array.from({ length: 20 }, () => memory.recall("key", NOW, async () => 7)));
  expect(found).toEqual(Array.from({ length: 20 }, () => 7));
  const waited = performance.now() - startedAt;
  expect(waited).toBeGreaterThan(240);
  expect(waited).toBeLessThan(2_000);
});

test("what is half its time old is read anew by one call beside its own work, and is as old as that read", async () => {
  const memory = new Memory<number>();
  const counted = looks();
  await memory.recall("key", NOW, counted.look);
  expect(memory.refresh("key", NOW + 4_999, counted.look)).toBeUndefined();
  const refreshing = memory.refresh("key", NOW + 5_000, counted.look);
  expect(refreshing).toBeDefined();
  expect(memory.refresh("key", NOW + 5_001, counted.look)).toBeUndefined();
  expect(await memory.recall("key", NOW + 5_001, counted.look)).toBe(1);
  await refreshing;
  expect(await memory.recall("key", NOW + 14_999, counted.look)).toBe(2);
  expect(await memory.recall("key", NOW + 15_000, counted.look)).toBe(3);
});

test("what is 10 s old is never used, unless the read that should replace it failed; after a minute not even then", async () => {
  const memory = new Memory<number>();
  await memory.recall("key", NOW, async () => 1);
  await memory.refresh("key", NOW + 6_000, failing);
  expect(await memory.recall("key", NOW + 9_999, failing)).toBe(1);
  expect(await memory.recall("key", NOW + 59_999, failing)).toBe(1);
  await expect(memory.recall("key", NOW + 60_000, failing)).rejects.toThrow("unreachable");
  expect(await memory.recall("key", NOW + 10_000, async () => 2)).toBe(2);
});

test("a look-up that fails is not waited for by the next call, and one dropped meanwhile is not remembered", async () => {
  const memory = new Memory<number>();
  await expect(memory.recall("key", NOW, failing)).rejects.toThrow("unreachable");
  const before = memory.recall("key", NOW, looks().look);
  memory.drop(() => true);
  expect(await before).toBe(1);
  expect(memory.peek("key", NOW)).toBeUndefined();
});

test("what is not there is remembered for two seconds", async () => {
  const memory = new Memory<number | null>();
  await memory.recall("key", NOW, async () => null);
  expect(await memory.recall("key", NOW + 1_999, async () => 1)).toBeNull();
  expect(await memory.recall("key", NOW + 2_000, async () => 1)).toBe(1);
});

test("a look-up that ends after one that began later does not bring back what that one saw gone", async () => {
  const memory = new Memory<number | null>();
  let end: (value: number) => void = () => undefined;
  const late = memory.lookUp("key", NOW, () => new Promise<number>((resolve) => (end = resolve)));
  await memory.lookUp("key", NOW + 1_000, async () => null);
  end(7);
  expect(await late).toBe(7);
  expect(await memory.recall("key", NOW + 1_001, failing)).toBeNull();
});
