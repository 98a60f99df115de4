import * as z from "zod";

const NUMBER = /^-?[0-9]{1,10}(?:\.[0-9]{1,15})?$/;
const INTEGER = /^[0-9]{1,10}$/;
const BOOLEANS = new Map([
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false],
]);

/** A number in a query: its decimal text on the wire. */
export const numberParameter = (minimum: number, maximum: number) =>
  z
    .string()
    .refine((text) => NUMBER.test(text) && Number(text) >= minimum && Number(text) <= maximum, {
      error: `must be a number from ${minimum} to ${maximum}`,
    })
    .transform(Number)
    .meta({ type: "number", minimum, maximum });

/** An integer in a query: its digits on the wire. */
export const integerParameter = (minimum: number, maximum: number) =>
  z
    .string()
    .refine((text) => INTEGER.test(text) && Number(text) >= minimum && Number(text) <= maximum, {
      error: `must be an integer from ${minimum} to ${maximum}`,
    })
    .transform(Number)
    .meta({ type: "integer", minimum, maximum });

/** A boolean in a query: `true`, `false`, `1` or `0` on the wire. */
export const booleanParameter = z
  .string()
  .refine((text) => BOOLEANS.has(text), { params: { code: "invalid_value" }, error: "must be true or false" })
  .transform((text) => BOOLEANS.get(text) === true)
  .meta({ type: "boolean" });

/** Of a write: answers what it would answer, and writes nothing. An Idempotency-Key beside it is not looked at. */
export const DryRunQuery = z.object({
  dry_run: booleanParameter.optional().meta({
    type: "boolean",
    description: "Answers what the call would; writes nothing.",
  }),
});

/** One or more of some words in a query: parted by commas on the wire, each once inside. */
export const wordsParameter = <const Word extends string>(words: readonly Word[]) =>
  z
    .string()
    .transform((list) => [...new Set(list.split(","))])
    .pipe(z.array(z.enum(words)));
