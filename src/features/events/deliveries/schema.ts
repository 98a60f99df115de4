import * as z from "zod";
import { recordId } from "#shared/fields/ids.ts";
import { instant } from "#shared/fields/instant.ts";
import { typeWords } from "../endpoints/schema.ts";
import { eventDays, eventTypesFilter } from "../schema.ts";
import { TYPE_NAMES } from "../types.ts";

export const DELIVERY_STATES = ["pending", "sending", "held", "delivered", "failed", "skipped"] as const;

export const DeliveryParams = z.object({
  id: recordId,
  delivery_id: recordId,
});
export const DeliveryQuery = z.object({
  state: z.enum(DELIVERY_STATES).optional(),
  type: eventTypesFilter,
  ...eventDays,
});

const bound = z.union([
  instant.transform((at) => ({ at })),
  z
    .int()
    .min(1)
    .transform((sequence) => ({ sequence })),
]);

export const Replay = z.object({
  since: bound.describe(
    "A time, or the `sequence` of the first event. Events are kept for the `event_days` of the settings.",
  ),
  until: bound.optional().describe("A time, which is not included, or the `sequence` of the last event."),
  types: typeWords.optional().meta({ description: "Only these of the endpoint's types." }),
  only_undelivered: z
    .boolean()
    .default(true)
    .meta({ description: "False: also sends events that the endpoint has already taken." }),
});
export const Replayed = z.object({ queued: z.int() }).meta({ id: "ReplayedEvents" });

export const EndpointTest = z.object({
  type: z
    .string()
    .refine((word) => word === "test.ping" || TYPE_NAMES.some((name) => name === word), {
      params: { code: "invalid_value" },
      error: "must be test.ping or a type of events",
    })
    .optional()
    .meta({ description: "The type of the example event. Default: `test.ping`." }),
});

export type DeliveryParams = z.output<typeof DeliveryParams>;
export type DeliveryQuery = z.output<typeof DeliveryQuery>;
export type Replay = z.output<typeof Replay>;
export type EndpointTest = z.output<typeof EndpointTest>;
