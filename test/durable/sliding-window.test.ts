import fc from "fast-check";
import { expect, test } from "vitest";
import { SlidingWindow, WINDOW_MS } from "../../durable/sliding-window.ts";

const BUCKET_MS = 100;
const START = 1_795_000_000_000;

// Steps between calls: many at once, some apart, now and then longer than the window.
const step = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 50 }) },
  { weight: 3, arbitrary: fc.integer({ min: 50, max: 5_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 20_000, max: 70_000 }) },
);
const calls = fc.record({
  limit: fc.integer({ min: 1, max: 20 }),
  steps: fc.array(step, { minLength: 1, maxLength: 200 }),
});

/** Takes every call that the window has room for, and gives the times of those taken and refused. */
function run(limit: number, steps: number[]): { taken: number[]; refused: { at: number; reset: number }[] } {
  const window = new SlidingWindow();
  const taken: number[] = [];
  const refused: { at: number; reset: number }[] = [];
  let now = START;
  for (const one of steps) {
    now += one;
    if (window.advance(now) < limit) {
      window.add();
      taken.push(now);
    } else refused.push({ at: now, reset: window.untilOldestLeaves(now) });
  }
  return { taken, refused };
}

test("a refused call has room after the reported time, and not 100 ms before", () => {
  const holds = fc.property(calls, ({ limit, steps }) => {
    const { taken, refused } = run(limit, steps);
    const [upTo] = refused;
    if (upTo === undefined) return;
    const history = taken.filter((at) => at <= upTo.at);
    const replay = (at: number) => {
      const window = new SlidingWindow();
      for (const one of history) {
        window.advance(one);
        window.add();
      }
      return window.advance(at);
    };
    expect(replay(upTo.at + upTo.reset)).toBeLessThan(limit);
    expect(replay(upTo.at + upTo.reset - BUCKET_MS)).toBeGreaterThanOrEqual(limit);
  });
  fc.assert(holds, { numRuns: 300 });
});

// So no more than the limit is admitted in any 60 seconds, and none is refused but for what came in the last 60.1.
test("the count is that of a plain log with buckets of 100 ms", () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 200 }), (steps) => {
      const window = new SlidingWindow();
      const log: number[] = [];
      let now = START;
      for (const one of steps) {
        now += one;
        const bucket = Math.floor(now / BUCKET_MS);
        const inside = log.filter(
          (at) => bucket - Math.floor(at / BUCKET_MS) <= WINDOW_MS / BUCKET_MS,
        ).length;
        expect(window.advance(now)).toBe(inside);
        window.add();
        log.push(now);
      }
    }),
    { numRuns: 200 },
  );
});

test("a clock that goes back neither empties nor spoils the window", () => {
  const window = new SlidingWindow();
  window.advance(START);
  window.add();
  expect(window.advance(START - 10_000)).toBe(1);
  window.add();
  expect(window.advance(START + WINDOW_MS)).toBe(2);
  expect(window.advance(START + WINDOW_MS + BUCKET_MS)).toBe(0);
  expect(window.untilOldestLeaves(START + WINDOW_MS + BUCKET_MS)).toBe(0);
});
