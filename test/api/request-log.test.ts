import { expect, test } from "vitest";
import { loggedPath } from "#api/request-log.ts";

test("a token that alone opens an address stays out of the log", () => {
  expect(loggedPath(`/i/asha/${"x".repeat(43)}`)).toBe("/i/asha/:token");
  expect(loggedPath(`/i/asha/${"x".repeat(43)}/pay`)).toBe("/i/asha/:token");
  expect(loggedPath(`/b/asha/${"x".repeat(43)}`)).toBe("/b/asha/:token");
  expect(loggedPath(`/b/asha/${"x".repeat(43)}/booking.ics`)).toBe("/b/asha/:token");
  expect(loggedPath(`/cal/asha/${"x".repeat(43)}.ics`)).toBe("/cal/asha/:token");
  expect(loggedPath(`/u/asha/${"x".repeat(43)}`)).toBe("/u/asha/:token");
  for (const base of ["/v1", "/api/v1"]) {
    const sms = `${base}/webhooks/sms/asha/msg91/`;
    expect(loggedPath(`${sms}${"x".repeat(43)}`)).toBe(`${sms}:token`);
    expect(loggedPath(`${sms}x/y`)).toBe(`${sms}:token`);
  }
  for (const path of ["/v1/invoices/asha/7", "/v1/i/asha/7", "/v1/webhooks/chatapp", "/health"])
    expect(loggedPath(path)).toBe(path);
});
