import fc from "fast-check";
import { expect, test } from "vitest";
import { fromScaled, roundHalfUp, toScaled } from "#shared/decimal.ts";

const FIFTEEN_DIGITS = 999_999_999_999_999;

test("a number with more decimals than there is room for has no scaled integer", () => {
  expect(toScaled(1.005, 2)).toBeUndefined();
  expect(toScaled(0.1 + 0.2, 2)).toBeUndefined();
  expect(toScaled(70_000_000_000_000.016, 2)).toBeUndefined();
});

test("exponent notation is read as the number it is", () => {
  expect(toScaled(1e-7, 7)).toBe(1);
  expect(toScaled(1.5e-7, 8)).toBe(15);
  expect(toScaled(1e-7, 4)).toBeUndefined();
  expect(toScaled(1e21, 0)).toBeUndefined();
});

test("what is not finite or not safe has no scaled integer", () => {
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 2 ** 53]) {
    expect(toScaled(value, 0)).toBeUndefined();
  }
  expect(toScaled(2 ** 53 - 1, 0)).toBe(Number.MAX_SAFE_INTEGER);
  expect(toScaled(2 ** 53 - 1, 1)).toBeUndefined();
});

test("minus zero is zero", () => {
  expect(Object.is(toScaled(-0, 2), 0)).toBe(true);
  expect(Object.is(fromScaled(-0, 2), 0)).toBe(true);
});

test("up to fifteen digits, a scaled integer comes back from its number unchanged", () => {
  const scaledInteger = fc.integer({ min: -FIFTEEN_DIGITS, max: FIFTEEN_DIGITS });
  fc.assert(
    fc.property(scaledInteger, fc.integer({ min: 0, max: 4 }), (scaled, places) => {
      expect(toScaled(fromScaled(scaled, places), places)).toBe(scaled);
    }),
  );
});

test("scaling agrees with exact integer arithmetic, and refuses what that cannot express", () => {
  const digits = fc.bigInt({ min: -BigInt(FIFTEEN_DIGITS), max: BigInt(FIFTEEN_DIGITS) });
  const places = fc.integer({ min: 0, max: 6 });
  fc.assert(
    fc.property(digits, places, places, (integer, decimals, room) => {
      const numerator = integer * 10n ** BigInt(room);
      const denominator = 10n ** BigInt(decimals);
      const exact = numerator % denominator === 0n ? Number(numerator / denominator) : Number.NaN;
      expect(toScaled(Number(`${integer}e-${decimals}`), room)).toBe(
        Number.isSafeInteger(exact) ? exact : undefined,
      );
    }),
  );
});

test("rounding is never more than a half off, and a half off only outwards", () => {
  fc.assert(
    fc.property(fc.bigInt(), fc.bigInt({ min: 1n, max: 10n ** 9n }), (numerator, denominator) => {
      const twiceTheError = 2n * (roundHalfUp(numerator, denominator) * denominator - numerator);
      const outwards = numerator < 0n ? -twiceTheError : twiceTheError;
      expect(outwards > -denominator && outwards <= denominator).toBe(true);
    }),
  );
});
