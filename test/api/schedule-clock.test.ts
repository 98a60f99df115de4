import { afterEach, expect, test, vi } from "vitest";
import { type Clocks, type Looks, rescheduleClock, scheduleClock } from "#core/clock.ts";

const NOW = 1_795_000_000_000;
const LOOK_AFTER_MS = 45_000;
let made = 0;

afterEach(() => {
  vi.restoreAllMocks();
});

/** Clocks that note what they are asked, and fail the first so many times. */
function clocks(failures = 0) {
  const woken: [company: string, at: number, scheduledUntil: number | undefined][] = [];
  let left = failures;
  const wake = async (company: string, at: number, scheduledUntil?: number) => {
    left -= 1;
    if (left >= 0) throw new Error("The object is overloaded");
    woken.push([company, at, scheduledUntil]);
  };
  return { woken, objects: { getByName: () => ({ wake }) } as unknown as Clocks };
}

/** A queue of looks that notes them, or takes none. */
function lookQueue(isDown = false) {
  const queued: unknown[] = [];
  const send = async (...sent: unknown[]) => {
    if (isDown) throw new Error("The queue is overloaded");
    queued.push(sent);
  };
  return { queued, looks: { send } as unknown as Looks };
}

function newCompany(): string {
  made += 1;
  return `company-${made}`;
}

test("a clock is scheduled for 45 s later, at most once in 15 s by an isolate and company", async () => {
  const { woken, objects } = clocks();
  const { queued, looks } = lookQueue();
  const [one, other] = [newCompany(), newCompany()];
  for (const after of [0, 1, 14_999, 15_000, 15_001]) await scheduleClock(objects, looks, one, NOW + after);
  await scheduleClock(objects, looks, other, NOW + 1);
  expect(woken).toEqual([
    [one, NOW + LOOK_AFTER_MS, NOW + LOOK_AFTER_MS],
    [one, NOW + 15_000 + LOOK_AFTER_MS, NOW + 15_000 + LOOK_AFTER_MS],
    [other, NOW + 1 + LOOK_AFTER_MS, NOW + 1 + LOOK_AFTER_MS],
  ]);
  expect(queued).toEqual([]);
});

test("where an object fails, its look is queued for 45 s later, and the object is asked again in 15 s", async () => {
  const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const { woken, objects } = clocks(1);
  const { queued, looks } = lookQueue();
  const company = newCompany();
  for (const after of [0, 1, 15_000]) await scheduleClock(objects, looks, company, NOW + after);
  expect(log).toHaveBeenCalledTimes(1);
  expect(queued).toEqual([[{ kind: "due", company, counter: 0 }, { delaySeconds: 45 }]]);
  expect(woken).toEqual([[company, NOW + 15_000 + LOOK_AFTER_MS, NOW + 15_000 + LOOK_AFTER_MS]]);
});

test("where object and queue fail, both are logged, the call goes on, and the next asks again", async () => {
  const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const { woken, objects } = clocks(1);
  const { looks } = lookQueue(true);
  const company = newCompany();
  await scheduleClock(objects, looks, company, NOW);
  const line = [expect.stringContaining('"fault":"company_clock"')];
  expect(log.mock.calls).toEqual([line, line]);
  await scheduleClock(objects, looks, company, NOW + 1);
  expect(woken).toHaveLength(1);
  await rescheduleClock({} as Clocks, company, null, 1);
  expect(log).toHaveBeenCalledTimes(3);
});

test("the notes of a thousand companies are kept, the newest ones", async () => {
  const { woken, objects } = clocks();
  const { looks } = lookQueue();
  const companies = Array.from({ length: 1_001 }, newCompany);
  for (const company of companies) await scheduleClock(objects, looks, company, NOW);
  await scheduleClock(objects, looks, String(companies.at(-1)), NOW + 1);
  expect(woken).toHaveLength(1_001);
  await scheduleClock(objects, looks, String(companies[0]), NOW + 1);
  expect(woken).toHaveLength(1_002);
});
