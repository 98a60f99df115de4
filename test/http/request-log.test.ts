import { expect, test } from "vitest";
import { loggedPath } from "#http/request-log.ts";

test("the token of a hosted page stays out of the log", () => {
  expect(loggedPath(`/i/asha/${"x".repeat(43)}`)).toBe("/i/asha/:token");
  for (const path of ["/v1/invoices/asha/7", "/v1/i/asha/7", "/health"]) expect(loggedPath(path)).toBe(path);
});
