import { expect, test } from "vitest";
import { phoneDigits, phoneLast9 } from "#shared/phone.ts";

test("a phone number's digits are what is left without its punctuation", () => {
  expect(phoneDigits("+91 (98765) 43210")).toBe("919876543210");
  expect(phoneDigits("call me")).toBe("");
});

test("one number written with and without prefixes has the same last nine digits", () => {
  for (const text of ["+91 98765-43210", "9876543210", "09876543210"])
    expect(phoneLast9(text)).toBe("876543210");
});

test("fewer than nine digits match nobody", () => {
  expect(phoneLast9("12345678")).toBeNull();
  expect(phoneLast9("123456789")).toBe("123456789");
});
