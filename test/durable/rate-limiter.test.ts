import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import type { Admission, Quota } from "../../durable/index.ts";

const NOW = 1_795_000_000_000;
const KEY: Quota = { name: "key", limit: 5 };
let made = 0;

/** A limiter of the test's own. */
function limiter() {
  made += 1;
  return env.RATE_LIMITER.getByName(`key-${made}`);
}

function flood(
  stub: ReturnType<typeof limiter>,
  count: number,
  quotas: Quota[],
  now = NOW,
): Promise<Admission[]> {
  return Promise.all(Array.from({ length: count }, () => stub.take(now, quotas)));
}

const admitted = (answers: Admission[]) => answers.filter((answer) => answer.admitted).length;

test("admits exactly the limit of a flood, and again exactly the limit a window later", async () => {
  const stub = limiter();
  expect(admitted(await flood(stub, 15, [KEY]))).toBe(5);
  expect(admitted(await flood(stub, 15, [KEY], NOW + 59_999))).toBe(0);
  expect(admitted(await flood(stub, 15, [KEY], NOW + 60_100))).toBe(5);
});

test("tells what remains, and when a refused call has room again", async () => {
  const stub = limiter();
  const answers = await flood(stub, 7, [KEY]);
  expect(answers.map(({ remaining }) => remaining)).toEqual([4, 3, 2, 1, 0, 0, 0]);
  expect(answers.at(-1)).toEqual({ admitted: false, limit: 5, remaining: 0, resetMs: 60_100 });
  const later = await stub.take(NOW + 40_000, [KEY]);
  expect(later).toMatchObject({ admitted: false, resetMs: 20_100 });
  expect((await stub.take(NOW + 40_000 + later.resetMs, [KEY])).admitted).toBe(true);
});

test("keeps a window for each name: one address used up leaves the other its own", async () => {
  const stub = limiter();
  const quotas = (address: string): Quota[] => [
    { name: `address:${address}`, limit: 3 },
    { name: "key", limit: 100 },
  ];
  expect(admitted(await flood(stub, 5, quotas("a")))).toBe(3);
  const [first] = await flood(stub, 1, quotas("b"));
  expect(first).toMatchObject({ admitted: true, limit: 3, remaining: 2 });
});

test("counts a call in all of its windows or in none", async () => {
  const stub = limiter();
  const quotas = (address: string): Quota[] => [
    { name: `address:${address}`, limit: 3 },
    { name: "key", limit: 4 },
  ];
  expect(admitted(await flood(stub, 10, quotas("a")))).toBe(3);
  // The seven that were refused took nothing of the key's own window.
  expect(await stub.take(NOW, quotas("b"))).toMatchObject({ admitted: true, remaining: 0, limit: 4 });
  expect(await stub.take(NOW, quotas("c"))).toMatchObject({ admitted: false, limit: 4 });
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
