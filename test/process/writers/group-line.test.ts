import { build } from "esbuild";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { afterAll, beforeEach, expect, test } from "vitest";
import type { Order } from "./worker.ts";

const AT = "http://writers.example/";

const { outputFiles } = await build({
  stdin: { contents: 'export { writers as default } from "./worker.ts"', resolveDir: import.meta.dirname },
  bundle: true,
  format: "esm",
  target: "es2024",
  conditions: ["workerd", "worker", "browser"],
  write: false,
});
const modules = [{ type: "ESModule", path: "worker.js", contents: outputFiles[0]?.text }];
const worker = {
  name: "writers",
  modules,
  compatibilityDate: "2026-10-01",
  compatibilityFlags: ["queue_consumer_no_wait_for_wait_until"],
  queueProducers: { ORDERS: "orders" },
  queueConsumers: { orders: { maxBatchSize: 10, maxBatchTimeout: 0 } },
};
const writers = new Miniflare(convertV4MiniflareOptions({ workers: [worker] } as never));
await writers.ready;
afterAll(() => writers.dispose());

let round = 0;
beforeEach(() => {
  round += 1;
});
const named = (name: string) => `${round} ${name}`;
const write = (name: string): Order => ({ name: named(name), kind: "write" });
const first = (name: string): Order => ({ name: named(name), kind: "first" });
const cut = (name: string): Order => ({ name: named(name), kind: "cut" });

const tell = async (by: "request" | "job", ...orders: Order[]) => {
  const response = await writers.dispatchFetch(AT, { method: "POST", body: JSON.stringify({ by, orders }) });
  expect(response.status).toBe(200);
};
type Told = { groups: string[][]; ends: Record<string, string>; inVain: string[]; ordered: string[] };
async function told(): Promise<Told> {
  const { groups, ends, inVain, ordered } = (await (await writers.dispatchFetch(AT)).json()) as Told;
  const isOfRound = (name: string) => name.startsWith(`${round} `);
  return {
    inVain,
    ordered,
    groups: groups.filter(([name = ""]) => isOfRound(name)),
    ends: Object.fromEntries(Object.entries(ends).filter(([name]) => isOfRound(name))),
  };
}
const endOf = async (name: string) => (await told()).ends[named(name)];

test("requests and jobs send each other's batches, and wake each other", async () => {
  const names = Array.from({ length: 40 }, (_, index) => String(index));
  await Promise.all(names.map((name, index) => tell(index % 4 === 0 ? "job" : "request", write(name))));
  await expect.poll(async () => Object.keys((await told()).ends)).toHaveLength(40);
  const { groups, ends } = await told();
  expect(ends).toEqual(Object.fromEntries(names.map((name) => [named(name), named(name)])));
  expect(groups.flat()).toHaveLength(40);
  expect(groups.length).toBeLessThan(40);
});

test.each(["request", "job"] as const)(
  "a %s that is cut off while its group is at the database is replaced: the group is in doubt, the next is written",
  async (by) => {
    const isOrdered = (name: string) =>
      expect.poll(async () => (await told()).ordered).toContain(named(name));
    const before = tell("request", first("before"));
    await isOrdered("before");
    const cutting = tell(by, cut("cut off"));
    await isOrdered("cut off");
    const doubtful = tell("request", write("with it"));
    await expect.poll(async () => (await told()).inVain).toEqual([named("cut off"), named("with it")]);
    await Promise.all([before, cutting]);
    const startedAt = performance.now();
    await Promise.all([tell("request", write("next")), tell("job", write("another"))]);
    await expect.poll(() => endOf("next")).toBe(named("next"));
    await expect.poll(() => endOf("another")).toBe(named("another"));
    expect(performance.now() - startedAt).toBeLessThan(8_000);
    await doubtful;
    expect(await endOf("with it")).toBe("LeaderGone");
    // Nothing of the request that was cut off goes on.
    expect(await endOf("cut off")).toBeUndefined();
  },
);
