import { expect, test, vi } from "vitest";
import { type Env, judgeEnvironment } from "../../src/env.ts";
import { appOf } from "../../src/wiring/areas.ts";
import { ENVIRONMENT } from "../support/environment.ts";

/** The environment with some of its names changed, or taken out. */
const changed = (change: Partial<Record<keyof Env, unknown>>) =>
  ({ ...ENVIRONMENT, ...change }) as unknown as Env;

test("a whole environment has no fault, with and without what may be left out", () => {
  expect(judgeEnvironment(ENVIRONMENT)).toEqual({ faults: [], usable: true });
  const more = { PREVIOUS_MASTER_KEY: btoa("k".repeat(32)) };
  expect(judgeEnvironment(changed(more))).toEqual({ faults: [], usable: true });
});

test.each([
  ["CONTROL_DATABASE_URL", undefined, "is missing"],
  ["CONTROL_DATABASE_URL", "control.example.com", "is malformed"],
  ["MASTER_KEY", undefined, "is missing"],
  ["MASTER_KEY", "not base64!", "is malformed"],
  ["MASTER_KEY", btoa("too short"), "is malformed"],
  ["PREVIOUS_MASTER_KEY", "", "is malformed"],
] as const)("nothing can be served where %s is %j", (name, value, state) => {
  const { faults, usable } = judgeEnvironment(changed({ [name]: value }));
  expect(usable).toBe(false);
  expect(faults).toEqual([expect.stringMatching(`^${name} ${state}: it must be `)]);
  if (value) expect(faults.join()).not.toContain(value);
});

test.each([
  ["CONTROL_DATABASE_TOKEN", ""],
  ["RATE_LIMITER", undefined],
  ["MESSAGES", "messages"],
  ["HOUSEKEEPING", undefined],
  ["DELIVERIES", undefined],
  ["FILES", undefined],
  ["DATABASE_PROVIDER", "postgres"],
  ["PUBLIC_ORIGIN", "https://api.example.com/v1"],
  ["PUBLIC_ORIGIN", undefined],
] as const)("what needs no %s is served where it is %j, and the fault is reported", (name, value) => {
  const { faults, usable } = judgeEnvironment(changed({ [name]: value }));
  expect({ usable, faults }).toEqual({ usable: true, faults: [expect.stringMatching(`^${name} is m`)] });
});

test("the first call logs each fault once, without a value, and every call is 503 in the API's own words", async () => {
  const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const app = await appOf("/health");
  const env = changed({ MASTER_KEY: "sesame", FILES: undefined });
  for (const path of ["/health", "/health", "/nowhere"]) {
    const answer = await app.request(path, {}, env);
    expect([answer.status, answer.headers.get("Retry-After")]).toEqual([503, "60"]);
    expect(await answer.json()).toMatchObject({ success: false, code: "unavailable", status: 503 });
  }
  const lines = log.mock.calls.map(([line]) => JSON.parse(String(line)));
  expect(lines).toMatchObject([
    { fault: "environment", error: "MASTER_KEY is malformed: it must be 32 random bytes in base64" },
    { fault: "environment", error: "FILES is missing: it must be a binding of wrangler.toml" },
  ]);
  expect(JSON.stringify(lines)).not.toContain("sesame");
  log.mockClear();
  expect((await app.request("/health", {}, ENVIRONMENT)).status).toBe(200);
  expect(log).not.toHaveBeenCalled();
  log.mockRestore();
});
