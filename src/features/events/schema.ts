import * as z from "zod";
import { patchOf } from "#shared/fields/patch.ts";
import { isoDate } from "#shared/time/dates.ts";
import { EVENT_TYPES, TYPE_NAMES, typesMeant } from "./types.ts";

const resources = [...new Set(Object.values(EVENT_TYPES).map(({ resource }) => resource))];

export const EventParams = z.object({ id: z.string().regex(/^evt_[0-9a-f]{24}$/) });

/** A comma list of types and groups, as the types meant. */
export const eventTypesFilter = z
  .string()
  .max(2_000)
  .transform((list, context) => {
    const words = [...new Set(list.split(","))];
    const unknown = words.find((word) => typesMeant(word).length === 0);
    if (unknown === undefined) return [...new Set(words.flatMap(typesMeant))];
    context.addIssue({
      code: "custom",
      params: { code: "invalid_value" },
      message: "must be types of events, as booking.paid or booking.*, parted by commas",
    });
    return z.NEVER;
  })
  .optional()
  .meta({ description: "Types of events, or groups as `booking.*`, parted by commas." });

export const EventQuery = z.object({
  type: eventTypesFilter,
  resource: z.enum(resources).optional().meta({ description: "The kind of record." }),
  record_id: z
    .string()
    .min(1)
    .max(40)
    .optional()
    .meta({ description: "The id of a record; needs `resource`." }),
  from: isoDate.optional().meta({ description: "The first day, in the company's time zone." }),
  to: isoDate.optional().meta({ description: "The last day, inclusive." }),
});

export const Event = z
  .object({
    id: z.string().meta({ description: "Names the event for good." }),
    type: z.string().meta({ description: "One of `event-types`; ignore what you do not know." }),
    sequence: z.int().meta({ description: "Events of a company in the order in which they were committed." }),
    created_at: z.string().meta({ format: "date-time" }),
    company: z.string(),
    api_version: z.string(),
    actor: z
      .object({ type: z.string(), id: z.string(), name: z.string() })
      .nullable()
      .meta({ description: "The key, the operator or the part of the system that did it." }),
    request_id: z.string(),
    data: z
      .record(z.string(), z.unknown())
      .meta({ description: "The record as its own read showed it at the time of the event." }),
    previous: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: "What some of its members were before: words, ids, dates and times." }),
    related: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: "Ids of other records that belong to the event." }),
    data_omitted: z.boolean().meta({
      description:
        "Whether `data` has the id alone: the record is too large, or what was told of it is erased.",
    }),
  })
  .meta({ id: "Event" });

export const EventTypeEntry = z
  .object({
    type: z.enum(TYPE_NAMES),
    description: z.string(),
    resource: z.enum(resources),
    scope: z.string().meta({ description: "What a key needs besides, to read such an event." }),
    on_demand: z.boolean().meta({ description: "Recorded only while somebody asks for it." }),
    recorded: z.boolean().meta({ description: "Whether such events are recorded now." }),
  })
  .meta({ id: "EventType" });

const settings = z.object({
  event_days: z.int().min(4).max(90).meta({ description: "Events are forgotten after so many days." }),
});
export const EventSettings = settings;
export const EventSettingsPatch = patchOf(settings);

export type EventQuery = z.output<typeof EventQuery>;
export type EventParams = z.output<typeof EventParams>;
export type EventSettingsPatch = z.infer<typeof EventSettingsPatch>;
