import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { type CompanyClock, type DueJob, declareUpgrade, type Upgrade } from "../../durable/index.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
// Alarms are real time, and none of those here is to come by itself.
const SOON = Date.now() + HOUR_MS;
const LATER = SOON + HOUR_MS;

function clock() {
  const slug = crypto.randomUUID();
  return { slug, stub: env.COMPANY_CLOCK.getByName(slug) };
}

const alarmOf = (stub: DurableObjectStub<CompanyClock>) =>
  runInDurableObject(stub, (_clock, state) => state.storage.getAlarm());

/** Runs the alarm and gives the jobs that it queued, or makes the queue fail. */
async function ring(stub: DurableObjectStub<CompanyClock>, failure?: Error): Promise<DueJob[]> {
  const jobs: DueJob[] = [];
  const send = async (job: DueJob) => {
    if (failure !== undefined) throw failure;
    jobs.push(job);
  };
  await runInDurableObject(stub, (own) => Object.assign(own, { env: { CLOCK: { send } } }));
  await runDurableObjectAlarm(stub);
  return jobs;
}

test("a clock has one alarm, at the earliest that it was woken for", async () => {
  const { slug, stub } = clock();
  expect(await alarmOf(stub)).toBeNull();
  await stub.wake(slug, LATER);
  expect(await alarmOf(stub)).toBe(LATER);
  await stub.wake(slug, SOON);
  await stub.wake(slug, LATER);
  expect(await alarmOf(stub)).toBe(SOON);
});

test("its alarm queues one job, and comes again in a minute until the job reports what it found", async () => {
  const { slug, stub } = clock();
  await stub.wake(slug, SOON);
  const before = Date.now();
  const [job] = await ring(stub);
  expect(job).toEqual({ kind: "due", company: slug, counter: 1 });
  const again = (await alarmOf(stub)) ?? 0;
  expect(again - before).toBeGreaterThanOrEqual(MINUTE_MS);
  expect(again - Date.now()).toBeLessThanOrEqual(MINUTE_MS);
  expect(await ring(stub)).toEqual([job]);
  await stub.settle(LATER, 1);
  expect(await alarmOf(stub)).toBe(LATER);
});

test("nothing due is no alarm: an idle company costs nothing", async () => {
  const { slug, stub } = clock();
  await stub.wake(slug, SOON);
  await ring(stub);
  await stub.settle(null, 1);
  expect(await alarmOf(stub)).toBeNull();
  expect(await ring(stub)).toEqual([]);
});

/** What a look found takes no alarm away, and may bring it forward. */
async function expectAlarmKept(stub: DurableObjectStub<CompanyClock>): Promise<void> {
  for (const found of [null, LATER]) {
    await stub.settle(found, 1);
    expect(await alarmOf(stub)).toBe(SOON);
  }
  await stub.settle(SOON - 1, 1);
  expect(await alarmOf(stub)).toBe(SOON - 1);
}

test("what a look found before another wake takes no alarm away, and may bring it forward", async () => {
  const { slug, stub } = clock();
  await stub.wake(slug, SOON);
  await stub.wake(slug, LATER);
  await expectAlarmKept(stub);
  await stub.settle(null, 2);
  expect(await alarmOf(stub)).toBeNull();
});

test("while it is scheduled no check takes its alarm away: the write may not be committed yet", async () => {
  const { slug, stub } = clock();
  await stub.wake(slug, SOON, SOON);
  await ring(stub);
  await expectAlarmKept(stub);
});

test("a schedule that is over holds nothing up", async () => {
  const { slug, stub } = clock();
  await stub.wake(slug, SOON, Date.now() - 1);
  await ring(stub);
  await stub.settle(null, 1);
  expect(await alarmOf(stub)).toBeNull();
});

test("a queue that does not take the job is asked again in a minute, not at the runtime's own retries", async () => {
  const { slug, stub } = clock();
  await stub.wake(slug, SOON);
  for (let times = 0; times < 10; times += 1) {
    expect(await ring(stub, new Error("The queue is overloaded"))).toEqual([]);
    expect((await alarmOf(stub)) ?? 0).toBeGreaterThan(Date.now() + MINUTE_MS / 2);
  }
  expect(await ring(stub)).toHaveLength(1);
});

test("alarm, counter and schedule outlive the object", async () => {
  const { slug, stub } = clock();
  await stub.wake(slug, SOON, SOON);
  await stub.wake(slug, LATER);
  await evictDurableObject(stub);
  await stub.settle(null, 1);
  expect(await alarmOf(stub)).toBe(SOON);
  await stub.settle(null, 2);
  expect(await alarmOf(stub)).toBe(SOON);
  expect(await ring(stub)).toEqual([{ kind: "due", company: slug, counter: 2 }]);
});

test("a company is upgraded once at a time, and after a failure only when it is due again or the operator asks", async () => {
  const { slug, stub } = clock();
  const ends: Upgrade["end"][] = ["failed", "done"];
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  let running = 0;
  let runs = 0;
  await runInDurableObject(stub, () =>
    declareUpgrade(async () => {
      running += 1;
      runs += 1;
      await gate;
      expect(running).toBe(1);
      running -= 1;
      return { end: ends.shift() ?? "done", applied: [], schemaNumber: 1 };
    }),
  );
  const asked = [stub.upgrade(slug), stub.upgrade(slug)];
  open();
  expect((await Promise.all(asked)).map(({ end }) => end)).toEqual(["failed", "failed"]);
  expect((await stub.upgrade(slug)).end).toBe("failed");
  expect(runs).toBe(1);
  expect((await stub.upgrade(slug, true)).end).toBe("done");
  expect(runs).toBe(2);
});
