import * as z from "zod";
import { fromScaled, toScaled } from "#shared/decimal.ts";

const MONEY_PLACES = 2;
const PRICE_PLACES = 4;
const QUANTITY_PLACES = 3;
const PERCENT_PLACES = 3;
const RATE_PLACES = 6;

/** What a number on the wire stands for, as `x-kind` of its schema: the document says what each is counted in. */
const MONEY = { "x-kind": "money" };
const PRICE = { "x-kind": "unit_price" };
const QUANTITY = { "x-kind": "quantity" };
const PERCENT = { "x-kind": "percent" };
const RATE = { "x-kind": "exchange_rate" };

/** Money in a reply. */
export const moneyOnWire = z.number().meta(MONEY);
/** A price per unit in a reply. */
export const priceOnWire = z.number().meta(PRICE);
/** A quantity in a reply. */
export const quantityOnWire = z.number().meta(QUANTITY);
/** A percentage in a reply. */
export const percentOnWire = z.number().meta(PERCENT);
/** A rate of exchange in a reply. */
export const rateOnWire = z.number().meta(RATE);

type Range = { min?: number; max?: number };

function scaledNumber(kind: Record<string, unknown>, places: number, min: number, max: number) {
  return z
    .number()
    .meta(kind)
    .min(min, `must be at least ${min}`)
    .max(max, `must be at most ${max}`)
    .transform((value, context) => {
      const scaled = toScaled(value, places);
      if (scaled !== undefined) return scaled;
      context.addIssue({
        code: "custom",
        params: { code: "invalid_precision" },
        message: `must have at most ${places} decimals`,
      });
      return z.NEVER;
    });
}

/** Money: a number with at most 2 decimals on the wire, minor units (paise, cents) inside. */
export const money = ({ min = 0, max = 9_999_999_999.99 }: Range = {}) =>
  scaledNumber(MONEY, MONEY_PLACES, min, max);

/** A price per unit: a number with at most 4 decimals on the wire, ten-thousandths of the major unit inside. */
export const unitPrice = ({ min = 0 }: Range = {}) => scaledNumber(PRICE, PRICE_PLACES, min, 99_999_999);

/** A quantity: a number with at most 3 decimals on the wire, thousandths inside. */
export const quantity = ({ min = 0.001, max = 99_999_999 }: Range = {}) =>
  scaledNumber(QUANTITY, QUANTITY_PLACES, min, max);

/** A percentage 0..100: a number with at most 3 decimals on the wire, thousandths of a percent inside. */
export const percent = () => scaledNumber(PERCENT, PERCENT_PLACES, 0, 100);

/** A rate of exchange: a number with at most 6 decimals on the wire, millionths inside. */
export const exchangeRate = () => scaledNumber(RATE, RATE_PLACES, 0.000001, 999_999.999999);

/** Minor units to the wire's major units. */
export const moneyToWire = (minor: number): number => fromScaled(minor, MONEY_PLACES);

/** Ten-thousandths of the major unit to the wire's major units. */
export const priceToWire = (tenThousandths: number): number => fromScaled(tenThousandths, PRICE_PLACES);

/** Thousandths to the wire's quantity. */
export const quantityToWire = (thousandths: number): number => fromScaled(thousandths, QUANTITY_PLACES);

/** Thousandths of a percent to the wire's percentage. */
export const percentToWire = (thousandths: number): number => fromScaled(thousandths, PERCENT_PLACES);

/** Millionths to the wire's rate of exchange. */
export const rateToWire = (millionths: number): number => fromScaled(millionths, RATE_PLACES);
