import { expect, test, vi } from "vitest";
import { loggedPath } from "#api/request-log.ts";
import { logFault, logRequest } from "#core/log.ts";

test("a token that alone opens an address stays out of the log", () => {
  expect(loggedPath(`/i/asha/${"x".repeat(43)}/pay`)).toBe("/i/asha/:token");
  expect(loggedPath(`/b/asha/${"x".repeat(43)}/booking.ics`)).toBe("/b/asha/:token");
  expect(loggedPath(`/cal/asha/${"x".repeat(43)}.ics`)).toBe("/cal/asha/:token");
  expect(loggedPath("/n/asha/x\n/resume")).toBe("/n/asha/:token");
  expect(loggedPath("/N/asha/x")).toBe("/N/asha/:token");
  for (const base of ["/v1", "/api/v1"]) {
    const sms = `${base}/webhooks/sms/asha/msg91/`;
    expect(loggedPath(`${sms}${"x".repeat(43)}`)).toBe(`${sms}:token`);
    expect(loggedPath(`${sms}x/y`)).toBe(`${sms}:token`);
  }
  for (const path of ["/v1/invoices/asha/7", "/v1/i/asha/7", "/v1/webhooks/chatapp", "/health"])
    expect(loggedPath(path)).toBe(path);
});

test("what a caller writes neither ends a line of the log nor fills it", () => {
  const lines: string[] = [];
  const keep = (line: string) => void lines.push(line);
  vi.spyOn(console, "log").mockImplementation(keep);
  vi.spyOn(console, "error").mockImplementation(keep);
  const path = loggedPath(`/v1/a\u2028{"fault":"audit_chain"}\u2029\n\r${"x".repeat(10_000)}`);
  logRequest({ method: "GET", path, status: 404, duration_ms: 1 });
  logFault("internal_error", new Error("At\u2028{}"), path);
  logFault("gateway", new Error(`/v1/refunds/${"y".repeat(50_000)} answered 404`), "z".repeat(50_000));
  vi.restoreAllMocks();
  expect(lines).toHaveLength(3);
  for (const line of lines) {
    expect(line).not.toMatch(/[\u2028\u2029\n\r]/);
    expect(line.length).toBeLessThan(5_000);
  }
  expect(JSON.parse(lines[0] ?? "").path).toBe(path);
  // Where it happened is at the end of a fault.
  expect(JSON.parse(lines[2] ?? "").error).toMatch(/^Error: \/v1\/refunds\/y+ … .*request-log\.test\.ts/s);
});
