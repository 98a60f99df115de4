import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import type { SlotLock } from "../../durable/index.ts";

const AT_ONCE = 8;
let made = 0;

/** A lock of the test's own. */
function lock(): DurableObjectStub<SlotLock> {
  made += 1;
  return env.SLOT_LOCK.getByName(`slot-${made}`);
}

/** Lets so many enter, and notes in `order` who went on. */
async function enterMany(stub: DurableObjectStub<SlotLock>, count: number, order: number[]) {
  const entering = Array.from({ length: count }, async (_, index) => {
    const ticket = await stub.enter();
    order.push(index);
    return ticket;
  });
  await vi.waitUntil(() => order.length >= Math.min(count, AT_ONCE));
  await new Promise((resolve) => setTimeout(resolve, 20));
  return entering;
}

test("lets a few in at once and the others in their order as those leave", async () => {
  const stub = lock();
  const order: number[] = [];
  const entering = await enterMany(stub, AT_ONCE + 3, order);
  expect(order).toHaveLength(AT_ONCE);
  await stub.leave((await entering[0]) ?? 0);
  await entering[AT_ONCE];
  expect(order).toHaveLength(AT_ONCE + 1);
  await stub.leave((await entering[1]) ?? 0);
  await stub.leave((await entering[2]) ?? 0);
  await Promise.all(entering);
  expect(order.slice(AT_ONCE)).toEqual([AT_ONCE, AT_ONCE + 1, AT_ONCE + 2]);
});

test("lets nobody in twice for one who leaves twice", async () => {
  const stub = lock();
  const order: number[] = [];
  const entering = await enterMany(stub, AT_ONCE + 2, order);
  const first = (await entering[0]) ?? 0;
  await stub.leave(first);
  await stub.leave(first);
  await entering[AT_ONCE];
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(order).toHaveLength(AT_ONCE + 1);
});

test("lets all go on after two seconds, though nobody has left", async () => {
  const stub = lock();
  const order: number[] = [];
  const started = Date.now();
  await Promise.all(await enterMany(stub, AT_ONCE * 4, order));
  expect(order).toHaveLength(AT_ONCE * 4);
  expect(Date.now() - started).toBeGreaterThan(1_500);
});
