import { evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import type { QuotaRequest } from "../../durable/index.ts";

const NOW = 1_795_000_000_000;
const REQUEST: QuotaRequest = { cost: 1, now: NOW, day: "2026-11-18", rate: 30, cap: 1_000, spent: 0 };

/** A quota of the test's own. */
const quota = () => env.MESSAGING_QUOTA.getByName(crypto.randomUUID());

/** The answer of an object that knows what the day has spent. */
async function reserve(stub: ReturnType<typeof quota>, request: QuotaRequest) {
  const answer = await stub.reserve(request);
  if (answer === null) throw new Error("It asks what the day has spent");
  return answer;
}

function flood(stub: ReturnType<typeof quota>, count: number, request: Partial<QuotaRequest> = {}) {
  return Promise.all(Array.from({ length: count }, () => reserve(stub, { ...REQUEST, ...request })));
}

const granted = (answers: { refused: string | null }[]) =>
  answers.filter(({ refused }) => refused === null).length;

test("grants exactly the rate in any 60 seconds, and says when the next one has room", async () => {
  const stub = quota();
  expect(granted(await flood(stub, 200))).toBe(30);
  const [refused] = await flood(stub, 1, { now: NOW + 20_000 });
  expect(refused).toEqual({ refused: "rate", remaining: 0, resetMs: 40_000, capRemaining: 970 });
  expect(granted(await flood(stub, 200, { now: NOW + 59_999 }))).toBe(0);
  expect(granted(await flood(stub, 200, { now: NOW + 60_000 }))).toBe(30);
});

test("makes no caller wait for more than the minute, also after a later send", async () => {
  const stub = quota();
  await flood(stub, 1, { rate: 1, now: NOW + 1_500 });
  expect(await flood(stub, 1, { rate: 1 })).toMatchObject([{ refused: "rate", resetMs: 60_000 }]);
});

test("grants up to the day's cap, and begins anew on the next day", async () => {
  const stub = quota();
  expect(granted(await flood(stub, 50, { cap: 10, rate: 1_000 }))).toBe(10);
  expect((await reserve(stub, { ...REQUEST, cap: 10 })).refused).toBe("cap");
  expect((await reserve(stub, { ...REQUEST, cap: 10, day: "2026-11-19" })).refused).toBeNull();
  // A time zone that is changed back finds its day again.
  expect((await reserve(stub, { ...REQUEST, cap: 10 })).refused).toBe("cap");
});

test("refuses whole what costs more than is left, and counts nothing of it", async () => {
  const stub = quota();
  await flood(stub, 6, { cap: 10 });
  expect((await reserve(stub, { ...REQUEST, cost: 5, cap: 10 })).refused).toBe("cap");
  expect(await stub.reserve({ ...REQUEST, cost: 4, cap: 10 })).toMatchObject({
    refused: null,
    remaining: 23,
  });
});

test("reports the minute when the day refuses, and the day when the minute does", async () => {
  const stub = quota();
  await flood(stub, 4, { cap: 5, rate: 10 });
  const ofDay = await stub.reserve({ ...REQUEST, cost: 2, cap: 5, rate: 10, now: NOW + 15_000 });
  expect(ofDay).toEqual({ refused: "cap", remaining: 6, resetMs: 45_000, capRemaining: 1 });
  const ofMinute = await stub.reserve({ ...REQUEST, cap: 5, rate: 4, now: NOW + 15_000 });
  expect(ofMinute).toEqual({ refused: "rate", remaining: 0, resetMs: 45_000, capRemaining: 1 });
});

test("that has counted nothing yet asks what the day has spent, and goes on from there", async () => {
  const stub = quota();
  expect(await stub.reserve({ ...REQUEST, spent: null })).toBeNull();
  const first = await stub.reserve({ ...REQUEST, cap: 10, spent: 7 });
  expect(first).toMatchObject({ refused: null, capRemaining: 2 });
  // It knows now: what another call found out meanwhile changes nothing.
  expect(await stub.reserve({ ...REQUEST, cap: 10, spent: 0 })).toMatchObject({ capRemaining: 1 });
  expect(await stub.reserve({ ...REQUEST, cap: 10, spent: null })).toMatchObject({ capRemaining: 0 });
  expect(await stub.reserve({ ...REQUEST, cap: 10, spent: null })).toMatchObject({ refused: "cap" });
});

test("keeps what the day had spent when the first call is refused by it", async () => {
  const stub = quota();
  expect(await stub.reserve({ ...REQUEST, cap: 7, spent: 7 })).toMatchObject({ refused: "cap" });
  expect(await stub.reserve({ ...REQUEST, cap: 7, spent: null })).toMatchObject({ refused: "cap" });
});

test("takes back what was given, of rate and cap", async () => {
  const stub = quota();
  await flood(stub, 2, { cap: 2, rate: 2 });
  await stub.giveBack({ ...REQUEST, cap: 2 });
  expect(granted(await flood(stub, 5, { cap: 2, rate: 2 }))).toBe(1);
});

test("remembers both through an eviction", async () => {
  const stub = quota();
  await flood(stub, 30, { cap: 40 });
  await evictDurableObject(stub);
  expect((await reserve(stub, { ...REQUEST, cap: 40 })).refused).toBe("rate");
  expect((await reserve(stub, { ...REQUEST, cost: 11, cap: 40, now: NOW + 60_000 })).refused).toBe("cap");
});

test("takes a limit as it is now, and a clock that was set back", async () => {
  const stub = quota();
  await flood(stub, 5);
  expect((await reserve(stub, { ...REQUEST, rate: 5 })).refused).toBe("rate");
  expect((await reserve(stub, { ...REQUEST, rate: 6 })).refused).toBeNull();
  expect((await reserve(stub, { ...REQUEST, rate: 1, now: NOW - 3_600_000 })).refused).toBeNull();
});
