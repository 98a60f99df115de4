import { expect, test } from "vitest";
import { counted } from "#shared/text/counted.ts";

test.each([
  [0, "0 files"],
  [1, "1 file"],
  [2, "2 files"],
])("%i is said as %j", (count, told) => {
  expect(counted(count, "file")).toBe(told);
});

test("a plural that takes more than an s is given", () => {
  expect([1, 2].map((count) => counted(count, "company", "companies"))).toEqual(["1 company", "2 companies"]);
});
