import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import type { SlotPacer } from "../../durable/index.ts";

const NOW = 1_800_000_000_000;
const AT_ONCE = 8;
const SPACING_MS = 3;

/** A pacer of the test's own. */
const pacer = () => env.SLOT_PACER.getByName(crypto.randomUUID());

/** How long each of so many who come at `now` is to wait. */
async function waits(stub: DurableObjectStub<SlotPacer>, count: number, now = NOW): Promise<number[]> {
  const delays: number[] = [];
  for (let index = 0; index < count; index += 1) delays.push(await stub.arrive(now));
  return delays;
}

test("lets a few go on at once, and the others after them in their order", async () => {
  const delays = await waits(pacer(), AT_ONCE + 4);
  expect(delays.slice(0, AT_ONCE + 1)).toEqual(Array.from({ length: AT_ONCE + 1 }, () => 0));
  expect(delays.slice(AT_ONCE + 1)).toEqual([1, 2, 3].map((place) => place * SPACING_MS));
});

test("makes no caller wait that comes when the others have gone", async () => {
  const stub = pacer();
  await waits(stub, 50);
  expect((await waits(stub, 1, NOW + 200))[0]).toBe(0);
});

test("makes no caller wait for more than two seconds, however many come, or whatever the clock does", async () => {
  const stub = pacer();
  const delays = await waits(stub, 1_500);
  expect(Math.max(...delays)).toBeLessThanOrEqual(2_000);
  expect(Math.max(...delays)).toBeGreaterThan(1_900);
  expect(Math.max(...(await waits(stub, 10, NOW - 86_400_000)))).toBeLessThan(100);
});
