import { expect, test } from "vitest";
import { quoted } from "#shared/text/quoted.ts";

test.each([
  ["", ""],
  ["colour", "colour"],
  ["a".repeat(100), "a".repeat(100)],
  ["a".repeat(101), `${"a".repeat(99)}…`],
  ["a".repeat(100_000), `${"a".repeat(99)}…`],
  ["😀".repeat(100), "😀".repeat(100)],
  ["😀".repeat(101), `${"😀".repeat(99)}…`],
])("of a text an error repeats at most 100 characters", (text, shown) => {
  expect(quoted(text)).toBe(shown);
});
