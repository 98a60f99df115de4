import * as z from "zod";
import { recordId } from "#shared/fields/ids.ts";
import { instant } from "#shared/fields/instant.ts";
import { isoDate } from "#shared/time/dates.ts";
import { typeWords } from "../endpoints/schema.ts";
import { Event, eventTypesFilter } from "../schema.ts";

const DELIVERY_STATES = ["pending", "sending", "held", "delivered", "failed", "skipped"] as const;
const timestamp = z.string().meta({ format: "date-time" });

export const DeliveryParams = z.object({
  id: recordId,
  delivery_id: recordId.meta({ description: "The id of a delivery to this endpoint." }),
});
export const DeliveryQuery = z.object({
  state: z.enum(DELIVERY_STATES).optional(),
  type: eventTypesFilter,
  from: isoDate.optional().meta({ description: "The first day, in the company's time zone." }),
  to: isoDate.optional().meta({ description: "The last day, inclusive." }),
});

const Delivery = z.object({
  id: z.string(),
  event_id: z.string().meta({ description: "Also the `webhook-id` of every request." }),
  event_type: z.string(),
  event_created_at: timestamp,
  sequence: z.int(),
  redelivery: z.int().meta({
    description: "0 for the first delivery; 1, 2 and so on for each replay that a caller requested.",
  }),
  state: z.enum(DELIVERY_STATES).meta({
    description:
      "`held`: it waits, because the endpoint fails and another event is tried first, or because the endpoint is disabled. `failed`: ten attempts failed. `skipped`: it will not be sent.",
  }),
  attempt_count: z.int(),
  next_attempt_at: timestamp
    .nullable()
    .meta({ description: "The time of the next attempt of a pending delivery. Null: it goes at once." }),
});
export const EventDelivery = Delivery.meta({ id: "EventDelivery" });

export const Attempt = z
  .object({
    n: z.int(),
    at: timestamp,
    status: z.int().nullable().meta({ description: "The HTTP status of the answer. Null: no answer came." }),
    duration_ms: z.int(),
    error: z.enum(["timeout", "connection", "tls", "redirect", "refused_address", "status"]).nullable().meta({
      description:
        "Null after a 2xx answer within 15 seconds. With `refused_address`, the API sent no request.",
    }),
    response_excerpt: z.string().meta({ description: "The first 1,000 characters of the answer." }),
  })
  .meta({ id: "EventAttempt" });

export const DeliveryDetail = Delivery.extend({
  attempts: z.array(Attempt),
  request: z.object({
    headers: z
      .record(z.string(), z.string())
      .meta({ description: "The headers of the last attempt, without the value of the signature." }),
    body: Event,
  }),
}).meta({ id: "EventDeliveryDetail" });

const bound = z.union([
  instant.transform((at) => ({ at })),
  z
    .int()
    .min(1)
    .transform((sequence) => ({ sequence })),
]);

export const Replay = z.object({
  since: bound.meta({
    description:
      "A time, or the `sequence` of the first event. Events are kept for the `event_days` of the settings.",
  }),
  until: bound
    .optional()
    .meta({ description: "A time, which is not included, or the `sequence` of the last event." }),
  types: typeWords.optional().meta({ description: "Only these of the endpoint's types." }),
  only_undelivered: z
    .boolean()
    .default(true)
    .meta({ description: "False: also sends events that the endpoint has already taken." }),
});
export const Replayed = z.object({ queued: z.int() });

export const EndpointTest = z.object({
  type: z
    .string()
    .refine((word) => word === "test.ping" || eventTypesFilter.safeParse(word).data?.length === 1, {
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
