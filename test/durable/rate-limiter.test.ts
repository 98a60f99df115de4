import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import type { Admission, Quota } from "../../durable/index.ts";

const NOW = 1_795_000_000_000;
const KEY: Quota = { name: "key", limit: 5 };

/** A limiter of the test's own. */
const limiter = () => env.RATE_LIMITER.getByName(crypto.randomUUID());

function flood(
  stub: ReturnType<typeof limiter>,
  count: number,
  quotas: Quota[],
  now = NOW,
): Promise<Admission[]> {
  return Promise.all(Array.from({ length: count }, () => stub.take(now, quotas)));
}

const admitted = (answers: Admission[]) => answers.filter((answer) => answer.admitted).length;

test("reports what remains, and when a refused call has room again", async () => {
  const stub = limiter();
  const answers = await flood(stub, 7, [KEY]);
  expect(answers.map(({ remaining }) => remaining)).toEqual([4, 3, 2, 1, 0, 0, 0]);
  expect(answers.at(-1)).toEqual({ admitted: false, limit: 5, remaining: 0, resetMs: 60_100 });
  const later = await stub.take(NOW + 40_000, [KEY]);
  expect(later).toMatchObject({ admitted: false, resetMs: 20_100 });
  expect((await stub.take(NOW + 40_000 + later.resetMs, [KEY])).admitted).toBe(true);
});

const quotas = (address: string, limit: number): Quota[] => [
  { name: `address:${address}`, limit: 3 },
  { name: "key", limit },
];

test("keeps a window for each name: one address used up leaves the other its own", async () => {
  const stub = limiter();
  expect(admitted(await flood(stub, 5, quotas("a", 100)))).toBe(3);
  const [first] = await flood(stub, 1, quotas("b", 100));
  expect(first).toMatchObject({ admitted: true, limit: 3, remaining: 2 });
});

test("counts a call in all of its windows or in none", async () => {
  const stub = limiter();
  expect(admitted(await flood(stub, 10, quotas("a", 4)))).toBe(3);
  // The seven that were refused took nothing of the key's own window.
  expect(await stub.take(NOW, quotas("b", 4))).toMatchObject({ admitted: true, remaining: 0, limit: 4 });
  expect(await stub.take(NOW, quotas("c", 4))).toMatchObject({ admitted: false, limit: 4 });
  expect(await stub.take(NOW, [{ name: "address:c", limit: 3 }])).toMatchObject({ remaining: 2 });
});

test("takes a limit as it is now: raised or lowered between two calls", async () => {
  const stub = limiter();
  await flood(stub, 5, [KEY]);
  expect(await stub.take(NOW, [{ name: "key", limit: 6 }])).toMatchObject({ admitted: true, remaining: 0 });
  expect(await stub.take(NOW, [{ name: "key", limit: 2 }])).toMatchObject({ admitted: false, remaining: 0 });
});

test("keeps every window that is in use, however many addresses come and go", async () => {
  const stub = limiter();
  const of = (index: number): Quota[] => [{ name: `address:${index}`, limit: 1 }];
  for (let index = 0; index < 1_200; index += 1) await stub.take(NOW, of(index));
  expect((await stub.take(NOW + 30_000, of(0))).admitted).toBe(false);
  expect((await stub.take(NOW + 30_000, of(1_199))).admitted).toBe(false);
  await stub.take(NOW + 60_100, of(5_000));
  expect((await stub.take(NOW + 60_100, of(0))).admitted).toBe(true);
});

test("no quota is no limit", async () => {
  expect(await limiter().take(NOW, [])).toEqual({ admitted: true, limit: 0, remaining: 0, resetMs: 0 });
});

describe("windows that are parts of each other", () => {
  const KEY_LIMIT = 2_000;
  const OF_ADDRESS = 400;
  const chain = (...names: [string, number][]): Quota[] =>
    [...names, ["key", KEY_LIMIT] as const].map(([name, limit]) => ({ name, limit }));
  const from = (address: string) => chain([`visitor:${address}`, 120], [`all:${address}`, OF_ADDRESS]);
  const calls = async (stub: ReturnType<typeof limiter>, count: number, quotas: Quota[], now = NOW) => {
    const answers: Admission[] = [];
    for (let call = 0; call < count; call += 1) answers.push(await stub.take(now, quotas, true));
    return admitted(answers);
  };

  test("admit of a few that flood what leaves room for each visitor who takes little", async () => {
    const stub = limiter();
    for (let flood = 0; flood < 5; flood += 1)
      await calls(stub, 500, chain([`all:flood-${flood}`, OF_ADDRESS]));
    // The floods have asked for more than the key has.
    for (let visitor = 0; visitor < 4; visitor += 1)
      expect(await calls(stub, 20, from(`visitor-${visitor}`))).toBe(20);
    expect(await calls(stub, 50, chain(["all:flood-0", OF_ADDRESS]))).toBe(0);
  });

  test("never admit more than the limit, however the calls are mixed, and use nearly all of it", async () => {
    const stub = limiter();
    const asked = Array.from({ length: 250 }, (_, place) => calls(stub, 10, from(`visitor-${place}`)));
    const total = (await Promise.all(asked)).reduce((sum, one) => sum + one, 0);
    expect(total).toBeLessThanOrEqual(KEY_LIMIT);
    expect(total).toBeGreaterThan(KEY_LIMIT - 20);
    expect(await calls(stub, 1, from("latest"), NOW + 60_100)).toBe(1);
  });

  test("give one who is alone all of each own limit", async () => {
    const home = (lan: number) =>
      chain(
        [`visitor:${lan}`, 120],
        [`all:${lan}`, OF_ADDRESS],
        ["site:a", OF_ADDRESS],
        ["network:a", KEY_LIMIT],
      );
    expect(await calls(limiter(), 150, home(1))).toBe(120);
    const stub = limiter();
    // 64 networks of one household: as much as one address with all its visitors.
    let household = 0;
    for (let lan = 0; lan < 64; lan += 1) household += await calls(stub, 10, home(lan));
    expect(household).toBeGreaterThan(350);
    expect(household).toBeLessThanOrEqual(OF_ADDRESS);
    expect(await calls(stub, 60, from("elsewhere"))).toBe(60);
  });

  test("report when a share has room again: a call before is refused, one after it admitted", async () => {
    const stub = limiter();
    await calls(stub, 1_500, chain(["all:flood", 1_800]), NOW);
    await calls(stub, 100, chain(["all:other", 1_800]), NOW + 10_000);
    const refused = await stub.take(NOW + 20_000, chain(["all:flood", 1_800]), true);
    expect(refused).toMatchObject({ admitted: false, remaining: 0, resetMs: 40_100 });
    expect((await stub.take(NOW + 60_000, chain(["all:flood", 1_800]), true)).admitted).toBe(false);
    expect((await stub.take(NOW + 60_100, chain(["all:flood", 1_800]), true)).admitted).toBe(true);
  });
});
