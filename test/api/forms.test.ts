import { Hono } from "hono";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { withForm } from "#api/bodies/forms.ts";
import { type App, newState } from "#api/request-state.ts";
import type { Problem } from "#shared/problem.ts";

// The clock of this file goes on only while a form waits for room.
let now = 0;
beforeEach(() => {
  vi.spyOn(Date, "now").mockImplementation(() => now);
  vi.stubGlobal("scheduler", {
    wait: async (milliseconds: number) => {
      now += milliseconds;
    },
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** Sends a form of one field; gives what was read of it, once `work` has ended, or the problem. */
async function send(work: Promise<void>, sent?: RequestInit): Promise<unknown> {
  let outcome: unknown;
  const app = new Hono<App>()
    .post("/", async (c) => {
      c.set("state", newState());
      const check = async (fields: object) => fields;
      await withForm(c, check, async (fields) => {
        outcome = fields;
        await work;
      });
      return c.body(null);
    })
    .onError((error, c) => {
      outcome = error;
      return c.body(null);
    });
  const form = new FormData();
  form.append("name", "Asha");
  await app.request("/", sent ?? { method: "POST", body: form });
  return outcome;
}

test("of forms that announce no length three are read; a fourth waits 15 seconds for room, then is 429", async () => {
  const works = Array.from({ length: 3 }, () => Promise.withResolvers<void>());
  const reading = works.map(({ promise }) => send(promise));
  const refused = (await send(Promise.resolve())) as Problem;
  expect(refused).toMatchObject({
    code: "rate_limited",
    status: 429,
    details: { members: { retry_after: 1 } },
  });
  expect(refused.details.headers).toEqual({ "Retry-After": "1" });
  expect(now).toBeGreaterThanOrEqual(15_000);
  expect(now).toBeLessThan(15_200);

  works[0]?.reject(new Error("what room was taken for has failed"));
  expect(await reading[0]).toBeInstanceOf(Error);
  expect(await send(Promise.resolve())).toEqual({ name: "Asha" });

  // The two others never end; their bytes are free a minute after they were there.
  now += 47_000;
  const begun = now;
  await Promise.all([send(Promise.resolve()), send(Promise.resolve()), send(Promise.resolve())]);
  expect(now).toBe(begun);
  for (const { resolve } of works) resolve();
  await Promise.all(reading);
});

test("a form that is whole in no five minutes is 408, however steadily its bytes come", async () => {
  vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
  try {
    const begun = Date.now();
    const drip = new ReadableStream({
      type: "bytes",
      pull: (controller) =>
        new Promise<void>((resolve) => {
          setTimeout(() => resolve(controller.enqueue(new Uint8Array(1))), 7_000);
        }),
    });
    const headers = { "Content-Type": "multipart/form-data; boundary=drip" };
    const init = { method: "POST", body: drip, headers, duplex: "half" } as RequestInit;
    let after: number | undefined;
    const ended = send(Promise.resolve(), init).finally(() => {
      after = Date.now() - begun;
    });
    await vi.advanceTimersByTimeAsync(310_000);
    expect(after).toBe(300_000);
    expect(await ended).toMatchObject({ code: "request_timeout" });
  } finally {
    vi.useRealTimers();
  }
});
