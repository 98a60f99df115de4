// Every rounding of money, GST's among them: half away from zero, by whole numbers of any size.
import { roundHalfUp } from "#shared/decimal.ts";

/** The whole in thousandths of a percent. */
export const WHOLE = 100_000;

/** The largest amount of a line or a document, in minor units. */
export const MAX_MINOR = 999_999_999_999;

// Thousandths x ten-thousandths, to hundredths.
const LINE_DIVISOR = 100_000n;

/** So many thousandths of a percent of a value, such as the tax of a rate; in minor units. */
export function percentOf(value: number, rate: number): number {
  return Number(roundHalfUp(BigInt(value) * BigInt(rate), BigInt(WHOLE)));
}

/** Half the tax of a rate (thousandths of a percent), as CGST and SGST are: each is rounded by itself. */
export function halfTaxOf(value: number, rate: number): number {
  return Number(roundHalfUp(BigInt(value) * BigInt(rate), 2n * BigInt(WHOLE)));
}

/** The same half, inside an amount that holds both. */
export function halfTaxInside(amount: number, rate: number): number {
  return Number(roundHalfUp(BigInt(amount) * BigInt(rate), 2n * BigInt(WHOLE + rate)));
}

/** What an amount that holds the tax of a rate (thousandths of a percent) is without it. */
export function withoutTax(amount: number, rate: number): number {
  return Number(roundHalfUp(BigInt(amount) * BigInt(WHOLE), BigInt(WHOLE + rate)));
}

/** The rate, in thousandths of a percent, that a tax on so much comes to. */
export function rateOf(tax: number, value: number): number {
  return Number(roundHalfUp(BigInt(tax) * BigInt(WHOLE), BigInt(value)));
}

/** What a line costs, in minor units: thousandths of a piece at ten-thousandths of the major unit. */
export function lineAmount(quantity: number, unitPrice: number): number {
  return Number(roundHalfUp(BigInt(quantity) * BigInt(unitPrice), LINE_DIVISOR));
}

/** The price of a piece, in ten-thousandths of the major unit, where so many thousandths cost `amount`. */
export function unitPriceOf(amount: number, quantity: number): number {
  return Number(roundHalfUp(BigInt(amount) * LINE_DIVISOR, BigInt(quantity)));
}

/** An amount in minor units, rounded to whole major ones. */
export function roundToMajor(amount: number): number {
  return 100 * Number(roundHalfUp(BigInt(amount), 100n));
}
