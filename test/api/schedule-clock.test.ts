import { afterEach, expect, test, vi } from "vitest";
import { type Clocks, rescheduleClock, scheduleClock } from "#core/clock.ts";

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

function newCompany(): string {
  made += 1;
  return `company-${made}`;
}

test("a clock is scheduled for 45 s later, at most once in 15 s by an isolate and company", async () => {
  const { woken, objects } = clocks();
  const [one, other] = [newCompany(), newCompany()];
  for (const after of [0, 1, 14_999, 15_000, 15_001]) await scheduleClock(objects, one, NOW + after);
  await scheduleClock(objects, other, NOW + 1);
  expect(woken).toEqual([
    [one, NOW + LOOK_AFTER_MS, NOW + LOOK_AFTER_MS],
    [one, NOW + 15_000 + LOOK_AFTER_MS, NOW + 15_000 + LOOK_AFTER_MS],
    [other, NOW + 1 + LOOK_AFTER_MS, NOW + 1 + LOOK_AFTER_MS],
  ]);
});

test("an object that fails is logged, lets the call go on, and is asked again by the next", async () => {
  const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const { woken, objects } = clocks(1);
  const company = newCompany();
  await scheduleClock(objects, company, NOW);
  expect(log.mock.calls).toEqual([[expect.stringContaining('"fault":"company_clock"')]]);
  await scheduleClock(objects, company, NOW + 1);
  expect(woken).toHaveLength(1);
  await rescheduleClock({} as Clocks, company, null, 1);
  expect(log).toHaveBeenCalledTimes(2);
});

test("the notes of a thousand companies are kept, the newest ones", async () => {
  const { woken, objects } = clocks();
  const companies = Array.from({ length: 1_001 }, newCompany);
  for (const company of companies) await scheduleClock(objects, company, NOW);
  await scheduleClock(objects, String(companies.at(-1)), NOW + 1);
  expect(woken).toHaveLength(1_001);
  await scheduleClock(objects, String(companies[0]), NOW + 1);
  expect(woken).toHaveLength(1_002);
});
