import * as z from "zod";
import { timestamp } from "#shared/fields/instant.ts";
import { patchOf } from "#shared/fields/patch.ts";
import { integerParameter } from "#shared/fields/query.ts";
import { isoDate } from "#shared/time/dates.ts";
import { EVENT_TYPES, nearestType, TYPE_NAMES, typesMeant } from "./types.ts";

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
      message: `must be types of events, as booking.paid or booking.*, separated by commas${nearestType(unknown)}`,
    });
    return z.NEVER;
  })
  .optional()
  .meta({ description: "Types of events, or groups such as `booking.*`, separated by commas." });

export const eventDays = {
  from: isoDate.optional().meta({ description: "The first day, in the company's time zone." }),
  to: isoDate.optional().meta({ description: "The last day, inclusive." }),
};

export const EventQuery = z.object({
  type: eventTypesFilter,
  resource: z.enum(resources).optional(),
  record_id: z.string().min(1).max(40).optional().describe("The id of a record. It needs `resource`."),
  ...eventDays,
});

export const Event = z
  .object({
    id: z.string().meta({ description: "The permanent id of the event." }),
    type: z.string().meta({ description: "One of `event-types`. Ignore types that you do not know." }),
    sequence: z.int().describe("The position in the company's events, in the order of their commits."),
    created_at: timestamp,
    company: z.string().describe("The company's slug."),
    api_version: z.string(),
    actor: z
      .object({ type: z.string(), id: z.string(), name: z.string() })
      .nullable()
      .meta({ description: "The key, the operator or the part of the system that made the change." }),
    request_id: z.string().describe("Of the call, as its `X-Request-Id`."),
    data: z
      .record(z.string(), z.unknown())
      .meta({ description: "The record as its read operation returned it at the time of the event." }),
    previous: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: "The old values of some members: words, ids, dates and times." }),
    related: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: "Ids of other records that belong to the event." }),
    data_omitted: z.boolean().meta({
      description: "True: `data` has only the id, because the record is too large or its data was erased.",
    }),
  })
  .meta({ id: "Event" });

export const FeedQuery = z.object({
  after: integerParameter(0, 9_999_999_999).optional().meta({
    description:
      "The `sequence` behind which the page begins: `next_after` of the page before. It needs `epoch`.",
  }),
  epoch: z.string().max(40).optional().meta({ description: "That of the page before. It needs `after`." }),
  type: eventTypesFilter,
});

export const FeedPage = z
  .object({
    events: z.array(Event),
    next_after: z.int().meta({ description: "The `after` of the next page." }),
    has_more: z
      .boolean()
      .describe("True: send the next call at once. A page may then have fewer than `limit` events, or none."),
    head: z.int().meta({ description: "The newest `sequence` of the company, of any type." }),
    epoch: z.string().describe("It is another one after the company was restored from a backup."),
  })
  .meta({ id: "EventFeed" });

export const EventTypeEntry = z
  .object({
    type: z.enum(TYPE_NAMES),
    description: z.string(),
    resource: z.enum(resources).describe("The kind of record that the event is of."),
    scope: z.string().meta({ description: "The scope that a key also needs to read such an event." }),
    on_demand: z.boolean().meta({ description: "Recorded only while an event endpoint asks for this type." }),
    recorded: z.boolean().meta({ description: "Whether events of this type are recorded now." }),
  })
  .meta({ id: "EventType" });

export const EventSettings = z.object({
  event_days: z.int().min(4).max(90).describe("The number of days after which events are erased."),
});
export const EventSettingsPatch = patchOf(EventSettings);

export type EventTypeEntry = z.output<typeof EventTypeEntry>;
export type EventQuery = z.output<typeof EventQuery>;
export type FeedQuery = z.output<typeof FeedQuery>;
export type EventParams = z.output<typeof EventParams>;
export type EventSettingsPatch = z.infer<typeof EventSettingsPatch>;
