import * as z from "zod";
import { fromScaled, toScaled } from "#shared/decimal.ts";

type Range = { min?: number; max?: number };

/**
 * A number with at most `places` decimals on the wire, an integer of the last of them inside. Its `kind` is the `x-kind` of
 * its schemas: the document says what each is counted in.
 */
function scaled(kind: string, places: number) {
  const onWire = z.number().meta({ "x-kind": kind });
  const sent = (min: number, max: number) =>
    onWire
      .min(min, `must be at least ${min}`)
      .max(max, `must be at most ${max}`)
      .transform((value, context) => {
        const inside = toScaled(value, places);
        if (inside !== undefined) return inside;
        context.addIssue({
          code: "custom",
          params: { code: "invalid_precision" },
          message: `must have at most ${places} decimals`,
        });
        return z.NEVER;
      });
  return { onWire, sent, toWire: (inside: number): number => fromScaled(inside, places) };
}

const MONEY = scaled("money", 2);
const PRICE = scaled("unit_price", 4);
const QUANTITY = scaled("quantity", 3);
const PERCENT = scaled("percent", 3);
const RATE = scaled("exchange_rate", 6);

/** Money: minor units (paise, cents) inside. */
export const { onWire: moneyOnWire, toWire: moneyToWire } = MONEY;
export const money = ({ min = 0, max = 9_999_999_999.99 }: Range = {}) => MONEY.sent(min, max);

/** A price per unit: ten-thousandths of the major unit inside. */
export const { onWire: priceOnWire, toWire: priceToWire } = PRICE;
export const unitPrice = ({ min = 0 }: Range = {}) => PRICE.sent(min, 99_999_999);

/** A quantity: thousandths inside. */
export const { onWire: quantityOnWire, toWire: quantityToWire } = QUANTITY;
export const quantity = ({ min = 0.001, max = 99_999_999 }: Range = {}) => QUANTITY.sent(min, max);

/** A percentage 0..100: thousandths of a percent inside. */
export const { onWire: percentOnWire, toWire: percentToWire } = PERCENT;
export const percent = () => PERCENT.sent(0, 100);

/** A rate of exchange: millionths inside. */
export const { onWire: rateOnWire, toWire: rateToWire } = RATE;
export const exchangeRate = () => RATE.sent(0.000001, 999_999.999999);
