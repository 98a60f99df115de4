import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { CircuitBreaker, Refused } from "#core/database/circuit-breaker.ts";

describe("a database that does not answer", () => {
  let circuitBreaker: CircuitBreaker;
  beforeEach(() => {
    vi.useFakeTimers();
    circuitBreaker = new CircuitBreaker();
  });
  afterEach(() => vi.useRealTimers());

  const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms);
  const after = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
  /** An attempt that is answered, or waits in vain, after so long. */
  const attempt = (end: "answered" | "silent", ms = 8_000, isRetry = false) =>
    circuitBreaker
      .attempt(isRetry, (ask) =>
        ask(
          async () => {
            await after(ms);
            if (end === "silent") throw new Error("no answer");
          },
          () => end === "silent",
        ),
      )
      .then(
        () => "answered",
        (error) => (error instanceof Refused ? error.waitMs : error.message),
      );

  /** The same, with the time that it takes. */
  async function ended(...parameters: Parameters<typeof attempt>) {
    const result = attempt(...parameters);
    await wait(parameters[1] ?? 8_000);
    return result;
  }

  /** Two attempts wait in vain: one alone may only have lost its answer. */
  async function open(): Promise<void> {
    expect(await ended("silent")).toBe("no answer");
    expect(await ended("silent")).toBe("no answer");
  }

  test("is asked no more once attempts have waited 10 seconds in vain, and the refusal says when to retry", async () => {
    expect(await ended("silent", 4_000)).toBe("no answer");
    expect(await ended("silent", 4_000)).toBe("no answer");
    expect(await ended("silent", 4_000)).toBe("no answer");
    expect(await attempt("answered")).toBe(2_000);
    await wait(500);
    expect(await attempt("answered")).toBe(1_500);
  });

  test("is asked by one caller when the pause is over, and while that one waits by no other", async () => {
    await open();
    await wait(2_000);
    const probe = attempt("answered", 3_000);
    expect(await attempt("answered")).toBe(1_000);
    await wait(3_000);
    expect(await probe).toBe("answered");
    expect(await ended("answered", 10)).toBe("answered");
  });

  test("is left alone for 2 seconds after each caller that waited in vain, however many there were", async () => {
    await open();
    const pauses: unknown[] = [];
    for (let round = 0; round < 5; round += 1) {
      await wait(2_000);
      await ended("silent");
      pauses.push(await attempt("answered"));
    }
    expect(pauses).toEqual([2_000, 2_000, 2_000, 2_000, 2_000]);
  });

  test("is asked again within 2 seconds of its return, though a hundred retries met closed doors meanwhile", async () => {
    await open();
    for (let retry = 0; retry < 100; retry += 1) await ended("silent", 10, true);
    await wait(2_000);
    expect(await ended("answered", 10)).toBe("answered");
  });

  test("is not given up when it loses 100 callers at once: what they wait together is one wait", async () => {
    const lost = Array.from({ length: 100 }, () => attempt("silent", 500));
    await wait(500);
    expect(new Set(await Promise.all(lost))).toEqual(new Set(["no answer"]));
    expect(await ended("answered", 10)).toBe("answered");
  });

  test("may be asked once more at once by a call that has waited, but by one of them only", async () => {
    await open();
    const retries = [attempt("answered", 10, true), attempt("answered", 10, true)];
    await wait(10);
    expect(await Promise.all(retries)).toEqual(["answered", 2_000]);
  });

  test("keeps 256 calls waiting at most once nothing has ended for three seconds", async () => {
    const waiting = Array.from({ length: 300 }, () => attempt("answered", 4_000));
    await wait(3_500);
    expect(await attempt("answered")).toBe(1_000);
    await wait(500);
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(["answered"]));
    expect(await ended("answered", 10)).toBe("answered");
  });

  test("of calls that were cut off is asked again: they are forgotten", async () => {
    await open();
    await wait(2_000);
    // A probe that never ends.
    void attempt("answered", 10 ** 9);
    expect(await attempt("answered")).toBe(1_000);
    await wait(13_100);
    expect(await ended("answered", 10)).toBe("answered");
  });
});
