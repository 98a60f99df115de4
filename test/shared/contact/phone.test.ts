import { expect, test } from "vitest";
import { e164, isIncomplete, isPhone, phoneDigits, phoneLast9, plainPhone } from "#shared/contact/phone.ts";
import vectors from "../../vectors/typed-texts.json" with { type: "json" };

test("a phone number's digits are what is left without its punctuation", () => {
  expect(phoneDigits("+91 (98765) 43210")).toBe("919876543210");
  expect(phoneDigits("call me")).toBe("");
});

test("one number written with and without prefixes has the same last nine digits", () => {
  for (const text of ["+91 98765-43210", "9876543210", "09876543210"])
    expect(phoneLast9(text)).toBe("876543210");
});

const INCOMPLETE = [
  ...["9.19845E+11", "9.1984512345E+11", " 9,1984512e11 ", "9E+09", "'9.19845E+11", "+9.19845E+11"],
  ...['"9.19845E+11"', "=9.1984516E+11", "9.19845 E+11", "919845E6", "919.8451E+09", "9.1984514E+011"],
  ...["9.1984518E 11", "9.19845E+11.", "9.19845E+11;", "9.19845*10^11", "9.19845 × 10¹¹", "९.19845E+11"],
  ...["98450xxxxx", "98450-XXXXX", "99999*****", "9845067###", "XXXXX67891", "•••••67891"],
];
const SEVERAL = [
  ...["98450 67891 / 98450 67892", "9845067891/92", "+919845067891, 92", "9845067891-92", "98450-67891-92"],
  ...["9845067891 or 9845067892", "Call 9845067894 between 10-12", "2345678 2345679"],
];
const NONE = ["call me", "नंबर", "########", "NaN", "0x24AD2F1E9", "n/a", "-", "98450x67891", "98450....."];
const NO_PERSONS = ["0000000000", "9999999999", "+91 99999 99999", "+91 98450 678115", "+91 98450 6781"];

test.each([...INCOMPLETE, ...SEVERAL, ...NONE, ...NO_PERSONS])(
  "%j is not one whole number: it matches no person, and none is called by it",
  (text) => {
    expect(phoneLast9(text)).toBeNull();
    for (const country of ["IN", "AU", "US"]) expect(e164(text, country)).toBeNull();
    expect(isPhone(text)).toBe(NO_PERSONS.includes(text));
    expect(isIncomplete(text)).toBe(INCOMPLETE.includes(text));
  },
);

test.each([
  ...["9845067901.0", '="9845067901"', "'9845067901", "9,845,067,901", "Mob: 98450 67901 (home)"],
  ...["tel:+919845067901", "📞 98450-67901", "98450/67901", "+91 (0) 98450 67901", "+91-098450-67901"],
  ...["+91 98450 67901 x5", "98450 67901 ext. 12", "98450 67901 #12", "09845067901 extn:12"],
  ...["98450 67901 (extension 12)", "+91-98450-67901;ext=12", "+91 98450 67901 EXT 12"],
])("%j is one number, without what stands beside it", (text) => {
  expect(e164(text, "IN")).toBe("+919845067901");
  expect(phoneLast9(text)).toBe("845067901");
  expect(isIncomplete(text)).toBe(false);
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
  ["+49 (0)36874/12345", "IN", "+493687412345"],
  ["+36 06 30 123 4567", "IN", "+36301234567"],
  ["+39 06 1234 5678", "IN", "+390612345678"],
  ["+358-40-123-45-67", "IN", "+358401234567"],
  ["+966 50 123 4567", "IN", "+966501234567"],
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
