import { expect, test } from "vitest";
import { e164, isPhone, phoneDigits, phoneLast9, plainPhone } from "#shared/contact/phone.ts";
import vectors from "../../vectors/typed-texts.json" with { type: "json" };

test("a phone number's digits are what is left without its punctuation", () => {
  expect(phoneDigits("+91 (98765) 43210")).toBe("919876543210");
  expect(phoneDigits("call me")).toBe("");
});

test("one number written with and without prefixes has the same last nine digits", () => {
  for (const text of ["+91 98765-43210", "9876543210", "09876543210"])
    expect(phoneLast9(text)).toBe("876543210");
});

test("a number that a spreadsheet rounded has no digits, and matches no person", () => {
  for (const text of ["9.19845E+11", "9.1984512345E+11", " 9,1984512e11 ", "9E+09"]) {
    expect(phoneDigits(text), text).toBe("");
    expect(phoneLast9(text), text).toBeNull();
    expect(e164(text, "IN"), text).toBeNull();
    expect(isPhone(text), text).toBe(false);
  }
});

test("fewer than nine digits match no person", () => {
  expect(phoneLast9("12345678")).toBeNull();
  expect(phoneLast9("123456789")).toBe("123456789");
});

test.each([
  ["+61 412 345 678", "IN", "+61412345678"],
  ["0061412345678", "IN", "+61412345678"],
  ["61412345678", "IN", "+61412345678"],
  ["0412 345 678", "AU", "+61412345678"],
  ["09845000001", "IN", "+919845000001"],
  ["+919845000001", "IN", "+919845000001"],
  ["919845000001", "IN", "+919845000001"],
  ["9845000001", "IN", "+919845000001"],
  ["9123456789", "IN", "+919123456789"],
  ["91 12 4123 45678", "IN", null],
  ["(415) 555-0123", "US", "+14155550123"],
  ["1 415 555 0123", "CA", "+14155550123"],
  ["65123456", "SG", "+6565123456"],
  ["06 1234 5678", "IT", "+390612345678"],
  ["06 30 123 4567", "HU", "+36301234567"],
  ["030 1234567", "DE", "+49301234567"],
  ["12345678", "IN", null],
  ["+12", "IN", null],
  ["+0123456789", "IN", null],
  ["9845000001", "XX", null],
  ["", "IN", null],
])("%s in %s is %s", (text, country, number) => {
  expect(e164(text, country)).toBe(number);
});

test.each(vectors.phones)("a number is the same without invisible marks: $what", ({ sent, stored }) => {
  expect(plainPhone(sent)).toBe(stored);
  expect(phoneDigits(sent)).toBe(phoneDigits(stored));
});
