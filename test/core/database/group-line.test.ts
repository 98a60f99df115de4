import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import type { End } from "#core/database/group.ts";
import { type Batch, GroupLine, LeaderGone, NoTurn } from "#core/database/group-line.ts";

const PATIENCE_MS = 5_000;
// The least time in which a group is sent.
const LEAST_MS = 2_000;
const LEASE_MS = 700;

type SendGroup = (group: readonly Batch[], timeoutMs: number) => Promise<End[]>;
type Given = { name?: string; size?: number; statements?: number; token?: string; isAlone?: boolean };

const nameOf = (batch: Batch | undefined) => batch?.statements[0]?.sql ?? "";

/** A batch that is known by its first statement. */
function batchOf(
  { name = "", size = 10, statements = 1, token = "", isAlone = false }: Given,
  patienceMs: number,
): Batch {
  const texts = Array.from({ length: statements }, () => ({ sql: name, want_rows: true }));
  return { statements: texts, size, token, isAlone, deadline: performance.now() + patienceMs + LEAST_MS };
}

/** A line before a database that takes its time for a group, and says of each batch that it is done. */
function open({ tookMs = 10, leaseMs = LEASE_MS } = {}) {
  const line = new GroupLine(leaseMs);
  const groups: string[][] = [];
  let sending = 0;
  const send = async (group: readonly Batch[]): Promise<End[]> => {
    expect(sending).toBe(0);
    sending += 1;
    groups.push(group.map(nameOf));
    await sleep(tookMs);
    sending -= 1;
    return group.map((batch) => ({ results: [{ rows: [{ name: nameOf(batch) }], rowsAffected: 1 }] }));
  };
  const write = (given: Given, by: SendGroup = send, patienceMs = PATIENCE_MS) =>
    line.write(batchOf(given, patienceMs), by);
  /** Begins a write, so that those after it have to wait. */
  const begin = async (name: string) => {
    const end = write({ name });
    await vi.waitUntil(() => sending === 1, { interval: 1 });
    return { end };
  };
  return { line, groups, send, write, begin };
}

const named = (name: string): End => ({ results: [{ rows: [{ name }], rowsAffected: 1 }] });

test("a batch that finds the database free goes at once, and those that came meanwhile go together, in their order", async () => {
  const { line, groups, write, begin } = open();
  const { end } = await begin("first");
  const names = Array.from({ length: 40 }, (_, index) => String(index));
  const ends = await Promise.all(names.map((name) => write({ name })));
  expect(await end).toEqual(named("first"));
  expect(ends).toEqual(names.map(named));
  expect(groups).toEqual([["first"], names]);
  expect(line.isIdle).toBe(true);
});

test("each leader sends one group, that with its own batch", async () => {
  const { groups, send, write } = open();
  const led: Record<string, number> = {};
  const writer = async (name: string) => {
    for (let turn = 0; turn < 5; turn += 1)
      await write({ name }, (group) => {
        expect(nameOf(group[0])).toBe(name);
        led[name] = (led[name] ?? 0) + 1;
        return send(group);
      });
  };
  await Promise.all(["a", "b", "c", "d"].map(writer));
  expect(groups.flat()).toHaveLength(20);
  expect(Object.values(led).reduce((sum, one) => sum + one, 0)).toBe(groups.length);
});

test.each([
  ["statements", { statements: 150 }, 2],
  ["bytes", { size: 200_000 }, 2],
  ["both, and one that is too large goes by itself", { statements: 600, size: 900_000 }, 1],
])("a group has no more than so many %s", async (_, given, most) => {
  const { groups, write } = open();
  await Promise.all(Array.from({ length: 7 }, () => write(given)));
  expect(Math.max(...groups.map(({ length }) => length))).toBe(most);
  expect(groups.flat()).toHaveLength(7);
});

test("what goes alone, and what another token opens, joins no group, and none passes it", async () => {
  const { groups, write } = open();
  const batches = [
    { name: "0" },
    { name: "1" },
    { name: "2" },
    { name: "long", isAlone: true },
    { name: "3" },
    { name: "4", token: "another" },
    { name: "5", token: "another" },
  ];
  await Promise.all(batches.map((batch) => write(batch)));
  expect(groups).toEqual([["0", "1", "2"], ["long"], ["3"], ["4", "5"]]);
});

test("a group whose request failed ends so for each of its batches, and the next goes on", async () => {
  const { line, groups, write } = open();
  const lost = new Error("Network connection lost");
  const failing = () => sleep(10).then(() => Promise.reject(lost));
  const first = write({ name: "0" }, failing);
  const others = ["1", "2", "3"].map((name) => write({ name }, failing));
  const next = sleep(15).then(() => write({ name: "4" }));
  expect(await Promise.all([first, ...others])).toEqual(Array(4).fill({ error: lost }));
  expect(await next).toEqual(named("4"));
  expect(groups).toEqual([["4"]]);
  expect(line.isIdle).toBe(true);
});

test("a leader that was cut off is replaced when its lease is over, and its group is in doubt", async () => {
  const { groups, write } = open();
  const sent = vi.fn(() => new Promise<End[]>(() => {}));
  void write({ name: "cut off" }, sent);
  const doubtful = write({ name: "with it" });
  await vi.waitUntil(() => sent.mock.calls.length > 0, { interval: 1 });
  const startedAt = performance.now();
  const after = write({ name: "after" });
  await expect(doubtful).rejects.toThrow(LeaderGone);
  expect(await after).toEqual(named("after"));
  const waited = performance.now() - startedAt;
  expect(waited).toBeGreaterThan(LEASE_MS - 100);
  expect(waited).toBeLessThan(LEASE_MS + 2_000);
  expect(groups).toEqual([["after"]]);
});

test("a request that was cut off while it waited is passed over", async () => {
  const { groups, write, begin } = open({ tookMs: 50 });
  const { end: first } = await begin("0");
  // What a request that was cut off waits for never comes to it.
  const race = vi.spyOn(Promise, "race").mockReturnValueOnce(new Promise(() => {}));
  void write({ name: "cut off", isAlone: true });
  race.mockRestore();
  const after = write({ name: "after" });
  expect(await first).toEqual(named("0"));
  const startedAt = performance.now();
  expect(await after).toEqual(named("after"));
  expect(performance.now() - startedAt).toBeLessThan(2_500);
  expect(groups).toEqual([["0"], ["after"]]);
});

test("a group has no more time than the call of any of its batches, and 8 seconds at most", async () => {
  const { send, write, begin } = open({ tookMs: 300 });
  const limits: number[] = [];
  const limited = (group: readonly Batch[], timeoutMs: number) => {
    limits.push(timeoutMs);
    return send(group);
  };
  const { end } = await begin("first");
  const late = [write({}, limited, 20_000), write({}, limited, 900), write({}, limited, 20_000)];
  await Promise.all([end, ...late]);
  expect(limits).toHaveLength(1);
  expect(limits[0]).toBeLessThan(LEAST_MS + 900 - 200);
  expect(limits[0]).toBeGreaterThan(LEAST_MS);
  await write({}, limited, 20_000);
  expect(limits[1]).toBe(8_000);
});

test("a batch that gets no turn in time is refused, and never sent", async () => {
  const { line, groups, write, begin } = open({ tookMs: 600 });
  const { end: holder } = await begin("holder");
  await expect(write({ name: "impatient" }, undefined, 200)).rejects.toThrow(NoTurn);
  await holder;
  expect(groups).toEqual([["holder"]]);
  expect(line.isIdle).toBe(true);
});
