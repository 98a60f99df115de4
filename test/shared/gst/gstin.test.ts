import fc from "fast-check";
import { expect, test } from "vitest";
import { gstinCheckDigit, parseGstin } from "#shared/gst/gstin.ts";
import vectors from "../../vectors/gstin.json" with { type: "json" };

// Registrations of United Nations bodies, tax deductors, a tax collector and an online service from abroad;
// then a made-up non-resident and a made-up government department.
const OTHER_FORMS = [
  "0717UNO00157UNO",
  "0717UNO00211UN2",
  "06DELI09652G1DA",
  "27AAFT56212B1DO",
  "29AABCF8078M1C8",
  "9917SGP29001OST",
  "0717NOR00001NR8",
  "27MUMT12400A1Z7",
];

const capital = fc.constantFrom(..."ABCDEFGHIJKLMNOPQRSTUVWXYZ");
const digit = fc.constantFrom(..."0123456789");
const regular = fc
  .tuple(
    fc.integer({ min: 1, max: 38 }).map((state) => String(state).padStart(2, "0")),
    fc.string({ unit: capital, minLength: 5, maxLength: 5 }),
    fc.string({ unit: digit, minLength: 4, maxLength: 4 }),
    capital,
    fc.constantFrom(..."123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
  )
  .map((parts) => `${parts.join("")}Z`);

test("every valid GSTIN of the vectors is read, with its state and PAN", () => {
  for (const gstin of vectors.valid) {
    expect(parseGstin(gstin)).toEqual({ gstin, stateCode: gstin.slice(0, 2), pan: gstin.slice(2, 12) });
  }
});

test("every wrong check digit of the vectors is refused, and the right one is known", () => {
  for (const [gstin, right] of Object.entries(vectors.invalid_check_digit)) {
    expect(parseGstin(gstin)).toBeUndefined();
    expect(gstinCheckDigit(gstin.slice(0, 14))).toBe(right);
  }
});

test("the forms for other than regular businesses are read too", () => {
  for (const gstin of OTHER_FORMS) expect(parseGstin(gstin)?.gstin, gstin).toBe(gstin);
  expect(parseGstin("0717UNO00157UNO")?.pan).toBeNull();
  expect(parseGstin("29AABCF8078M1C8")?.pan).toBe("AABCF8078M");
});

test("a GSTIN may come in small letters and with blanks around it", () => {
  expect(parseGstin(" 27aapfu0939f1zv ")?.gstin).toBe("27AAPFU0939F1ZV");
});

test("other lengths, shapes and alphabets are refused", () => {
  const refused = [
    "",
    "29",
    "AABCR1718E1ZL29",
    "27AAPFU0939F1Z",
    "27AAPFU0939F1ZVV",
    "27AAPFU0939F0ZV",
    "2 7AAPFU0939F1ZV",
    "２７AAPFU0939F1ZV",
  ];
  for (const text of refused) expect(parseGstin(text), text).toBeUndefined();
});

test("any 14 characters of the regular form have exactly one check digit", () => {
  fc.assert(
    fc.property(regular, (first14) => {
      const accepted = [..."0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"].filter((last) =>
        parseGstin(first14 + last),
      );
      expect(accepted).toEqual([gstinCheckDigit(first14)]);
    }),
  );
});

test("one mistyped character among the first 14 is always noticed", () => {
  const character = fc.constantFrom(..."0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ");
  fc.assert(
    fc.property(regular, fc.integer({ min: 0, max: 13 }), character, (first14, index, typed) => {
      fc.pre(first14.charAt(index) !== typed);
      const mistyped = first14.slice(0, index) + typed + first14.slice(index + 1);
      expect(parseGstin(mistyped + gstinCheckDigit(first14))).toBeUndefined();
    }),
  );
});
