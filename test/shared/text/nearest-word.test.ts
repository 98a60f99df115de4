import { expect, test } from "vitest";
import { likelyWord, nearestWord } from "#shared/text/nearest-word.ts";

const WORDS = ["limit", "cursor", "status", "customer_id", "issued_from", "issued_to"];

test.each([
  ["payment_status", "status"],
  ["stat", "status"],
  ["customer", "customer_id"],
  ["customerId", "customer_id"],
  ["Limit", "limit"],
  ["limti", "limit"],
  ["isued_from", "issued_from"],
  ["issued_until", "issued_to"],
])("of a list's parameters, the one nearest to %s is %s", (written, nearest) => {
  expect(nearestWord(written, WORDS)).toBe(nearest);
});

test("a name of any length is compared", () => {
  expect(WORDS).toContain(nearestWord("x".repeat(100_000), WORDS));
  expect(nearestWord("", WORDS)).toBe("limit");
  expect(nearestWord("x", [])).toBeUndefined();
});

test("a word that is near to none may be no other's", () => {
  expect(likelyWord("bogus", WORDS)).toBeUndefined();
  expect(likelyWord("isued_form", WORDS)).toBe("issued_from");
  expect(likelyWord("stat", WORDS)).toBe("status");
});
