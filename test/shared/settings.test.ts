import { expect, test } from "vitest";
import { settingOf } from "#shared/settings.ts";
import { operations } from "../../src/wiring/operations.ts";

test("each write of a setting stands in the table that says who is notified and what right it needs", () => {
  const writes = operations.filter(({ method, path }) => method !== "get" && path.startsWith("/settings/"));
  expect(writes.length).toBeGreaterThan(90);
  expect(writes.filter(({ path }) => settingOf(path) === undefined).map(({ id }) => id)).toEqual([]);
});
