import { Router } from "#api/operations/operation.ts";
import type { Resource } from "#api/operations/resource.ts";
import type { Ctx, OutsideCtx } from "#core/context.ts";
import { type EventRow, getEvent, listEvents, listEventTypes, renderEvent } from "./events.ts";
import { Event, EventParams, EventQuery, EventSettingsPatch, EventTypeEntry } from "./schema.ts";
import { getEventSettings, settings, updateEventSettings } from "./settings.ts";

/** The events of a company; `resources` are all kinds of records that have events. */
export function eventRoutes(resources: readonly Resource[]) {
  const byName = new Map<string, Resource>(resources.map((resource) => [resource.name, resource]));
  const scopeOf = (name: string) => byName.get(name)?.scope ?? "settings:read";
  const mayRead = ({ client }: OutsideCtx, name: string) => client.holds(scopeOf(name));
  const writing = [...new Set(resources.map(({ scope }) => scope.replace(/read$/, "write")))];
  return new Router("Settings: Events", "/", {
    record: { schema: Event, render: (row: EventRow, ctx: Ctx) => renderEvent(row, ctx, byName) },
  })
    .list({ listEvents: (ctx, _params, query) => listEvents(ctx, query, mayRead) }, "/events", {
      summary: "List events",
      description:
        "Changes of the company's records, newest first. Only events of records that the key may read. Kept for the company's `event_days`.",
      query: EventQuery,
      sort: (row) => [row.sequence],
    })
    .get({ getEvent: (ctx, params) => getEvent(ctx, params, byName) }, "/events/:id", {
      summary: "Read an event",
      description: "403 `insufficient_scope` if the key may not read the record of the event.",
      params: EventParams,
    })
    .all({ listEventTypes: (ctx) => listEventTypes(ctx, scopeOf) }, "/event-types", {
      summary: "List the types of events",
      record: { schema: EventTypeEntry, render: (row: EventTypeEntry) => row },
    })
    .settings({
      path: "/event-settings",
      id: "EventSettings",
      words: "the settings of events",
      record: settings,
      patch: EventSettingsPatch,
      verbs: { get: getEventSettings, update: updateEventSettings(writing) },
      description:
        "Fewer days than until now erase events, and ask also for what writes each kind of record in them, such as `customers:write`.",
    });
}
