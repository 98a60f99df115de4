import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import type { End } from "#core/database/group.ts";
import { type ReadBatch, ReadLine } from "#core/database/read-line.ts";
import { times } from "../../features/money.ts";

type Send = (group: readonly ReadBatch[]) => Promise<End[]>;

const nameOf = (batch: ReadBatch | undefined) => batch?.statements[0]?.sql ?? "";
const named = (name: string): End => ({ results: [{ rows: [{ name }], rowsAffected: 0 }] });

/** A line before a database that takes its time for a group, or never answers one that begins with such a name. */
function open({ tookMs = 30, silent = "silent" } = {}) {
  const line = new ReadLine();
  const groups: string[][] = [];
  const send: Send = async (group) => {
    groups.push(group.map(nameOf));
    if (nameOf(group[0]).startsWith(silent)) return new Promise<never>(() => undefined);
    await sleep(tookMs);
    return group.map((batch) => named(nameOf(batch)));
  };
  const read = (name: string, { by = send, size = 10 } = {}) =>
    line.read({ statements: [{ sql: name, want_rows: true }], size }, by);
  return { line, groups, send, read };
}

test("two requests go at once; what comes meanwhile goes together, in its order, and each gets its own end", async () => {
  const { line, groups, read } = open({ tookMs: 8 });
  const names = ["a", "b", "c", "d", "e"];
  expect(await Promise.all(names.map((name) => read(name)))).toEqual(names.map(named));
  expect(groups).toEqual([["a"], ["b"], ["c", "d", "e"]]);
  expect(line.isIdle).toBe(true);
});

test("a read that waits is sent after a moment, though no request has ended", async () => {
  const { groups, read } = open();
  const first = [read("silent 1"), read("silent 2")];
  const startedAt = performance.now();
  expect(await Promise.all([read("third"), read("fourth")])).toEqual([named("third"), named("fourth")]);
  expect(performance.now() - startedAt).toBeLessThan(900);
  expect(groups.slice(2)).toEqual([["third", "fourth"]]);
  expect(await Promise.race([...first, sleep(1, "open")])).toBe("open");
});

test("a read is never joined to a request that is sent already", async () => {
  const { groups, read } = open({ tookMs: 60 });
  const first = ["a", "b", "c"].map((name) => read(name));
  await sleep(25);
  await Promise.all([...first, read("later")]);
  expect(groups).toEqual([["a"], ["b"], ["c"], ["later"]]);
});

test("a read whose leader was cut off is sent by itself after a second, and the leader's place is free again", async () => {
  const { line, groups, read } = open();
  const cut = [read("silent 1"), read("silent 2")];
  const leader = read("silent leader");
  const startedAt = performance.now();
  expect(await read("member")).toEqual(named("member"));
  expect(performance.now() - startedAt).toBeGreaterThan(990);
  expect(groups.slice(2)).toEqual([["silent leader", "member"], ["member"]]);
  await sleep(1_050 - (performance.now() - startedAt));
  expect(await Promise.all([read("x"), read("y")])).toEqual([named("x"), named("y")]);
  expect(groups.slice(4)).toEqual([["x"], ["y"]]);
  expect(line.isIdle).toBe(true);
  expect(await Promise.race([...cut, leader, sleep(1, "open")])).toBe("open");
});

test("an error of the request is the end of each read in it", async () => {
  const { read, send } = open({ tookMs: 8 });
  const lost = new Error("lost");
  const by: Send = async (group) => {
    await send(group);
    throw lost;
  };
  const [a, b, ...others] = await Promise.all(["a", "b", "c", "d"].map((name) => read(name, { by })));
  expect([a, b, ...others]).toEqual(Array(4).fill({ error: lost }));
});

test.each([
  ["16 reads", { size: 10 }, 16],
  ["256 KB", { size: 100_000 }, 2],
])("a request holds at most %s", async (_, given, most) => {
  const { groups, read } = open({ tookMs: 8 });
  const names = Array.from({ length: 42 }, (__, index) => String(index));
  const ends = await Promise.all(names.map((name) => read(name, given)));
  expect(ends).toEqual(names.map(named));
  expect(Math.max(...groups.map(({ length }) => length))).toBe(most);
});

test("readers that come again and again are all answered, in fewer requests than reads", async () => {
  const { line, groups, read } = open({ tookMs: 1 });
  await times(8, async (reader) => {
    for (let turn = 0; turn < 50; turn += 1)
      expect(await read(`${reader} ${turn}`)).toEqual(named(`${reader} ${turn}`));
  });
  expect(groups.flat()).toHaveLength(400);
  expect(groups.length).toBeLessThan(300);
  await vi.waitUntil(() => line.isIdle);
});
