import * as z from "zod";
import { toScaled } from "#shared/decimal.ts";

// A form's fields are texts, whatever they mean.
const DECIMAL = /^\d{1,15}(?:\.\d{1,15})?$/;
// As Indians write an amount: ₹1,00,000/-.
const AMOUNT = /^(?:₹|Rs\.?|INR)?\s*(\d+|\d{1,3}(?:,\d{2,3})*,\d{3})(\.\d+)?(?:\/-)?$/i;

/** A decimal number as text, 0 to `max`, with at most `places` decimals: on the inside an integer of the last place. */
export const decimalText = ({ max, places }: { max: number; places: number }) =>
  z
    .string()
    .transform((text, context) => {
      const refuse = (code: string, message: string) => {
        context.addIssue({ code: "custom", params: { code }, message });
        return z.NEVER;
      };
      const plain = text
        .trim()
        .replace(AMOUNT, (_, whole: string, rest = "") => whole.replaceAll(",", "") + rest);
      const value = DECIMAL.test(plain) ? Number(plain) : undefined;
      if (value === undefined) return refuse("invalid_number", "must be a number such as 2.5");
      if (value > max) return refuse("too_big", `must be at most ${max}`);
      const scaled = toScaled(value, places);
      if (scaled !== undefined) return scaled;
      return refuse("invalid_precision", `must have at most ${places} decimals`);
    })
    .meta({ pattern: AMOUNT.source });

/** A box that is ticked: `true`, `1`, `on`, `yes` or `y`; or is not: `false`, `0`, `off`, `no` or `n`. */
export const booleanText = z
  .string()
  .toLowerCase()
  .pipe(z.enum(["true", "1", "on", "yes", "y", "false", "0", "off", "no", "n"]))
  .transform((text) => /^(?:true|1|on|yes|y)$/.test(text));

/** JSON in a text, of this schema. */
export const jsonText = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .string()
    .max(20_000)
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text);
      } catch {
        context.addIssue({ code: "custom", params: { code: "not_json" }, message: "must be JSON" });
        return z.NEVER;
      }
    })
    .pipe(schema);
