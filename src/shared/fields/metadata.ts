import * as z from "zod";
import { cleanText } from "#shared/fields/text.ts";

const MOST = 20;

/** The client's own names and values on a record: at most 20, names up to 40 and values up to 500 characters. */
export const metadata = z
  .record(cleanText({ min: 1, max: 40 }), cleanText({ max: 500 }))
  .refine((entries) => Object.keys(entries).length <= MOST, {
    params: { code: "too_big" },
    error: `must have at most ${MOST} names`,
  })
  .meta({ description: "Your own names and values; returned as sent." });
