import * as z from "zod";
import { patchOf } from "#shared/fields/patch.ts";
import { cleanText } from "#shared/fields/text.ts";
import { nearestType, typesMeant } from "../types.ts";

/** Types of events as they are asked for: `booking.paid`, `booking.*`, or `*` for all that are always recorded. */
export const typeWords = z
  .array(
    z.string().refine((word) => word === "*" || typesMeant(word).length > 0, {
      params: { code: "invalid_value" },
      error: ({ input }) =>
        `must be a type of events, as booking.paid or booking.*${nearestType(String(input))}`,
    }),
  )
  .min(1)
  .max(60)
  .refine((words) => new Set(words).size === words.length, {
    params: { code: "not_unique" },
    error: "must name each type once",
  })
  .refine((words) => !words.includes("*") || words.length === 1, {
    params: { code: "invalid_value" },
    error: "must be * alone, or types and groups",
  });

const fields = z.object({
  url: z
    .string()
    .max(2_000)
    .regex(/^[\x21-\x7e]+$/, "must be an address without spaces")
    .meta({ description: "An https address of a public host, without a port, a user or a password." }),
  description: cleanText({ max: 255 }),
  types: typeWords.describe(
    "Types as in `event-types`, groups such as `booking.*`, or only `*` for all types that are always recorded. Types on demand are recorded once an active endpoint asks for them by name or group.",
  ),
  is_active: z
    .boolean()
    .describe("Send true to end `failing` and `disabled`. Events that waited while it was off are skipped."),
});
export const EndpointCreate = fields.partial({ description: true, is_active: true });
export const EndpointPatch = patchOf(fields);

export const EndpointRotate = z.object({
  overlap_seconds: z.literal([0, 3_600, 86_400, 604_800]).meta({
    description: "How long requests are also signed with the old secret: 0, 1 hour, 1 day or 7 days.",
  }),
});

export type EndpointCreate = z.output<typeof EndpointCreate>;
export type EndpointPatch = z.output<typeof EndpointPatch>;
export type EndpointRotate = z.output<typeof EndpointRotate>;
