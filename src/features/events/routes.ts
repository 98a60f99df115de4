import { Router } from "#api/operations/operation.ts";
import { pageQuery } from "#api/operations/paging.ts";
import type { Resource } from "#api/operations/resource.ts";
import type { Ctx, OutsideCtx } from "#core/context.ts";
import { type EventRow, getEvent, listEvents, listEventTypes, renderEvent } from "./events.ts";
import { followEvents } from "./feed.ts";
import {
  Event,
  EventParams,
  EventQuery,
  EventSettingsPatch,
  EventTypeEntry,
  FeedPage,
  FeedQuery,
} from "./schema.ts";
import { getEventSettings, settings, updateEventSettings } from "./settings.ts";

function rightsTo(resources: readonly Resource[]) {
  const byName = new Map<string, Resource>(resources.map((resource) => [resource.name, resource]));
  const scopeOf = (name: string) => byName.get(name)?.scope ?? "settings:read";
  const mayRead = ({ client }: OutsideCtx, name: string) => client.holds(scopeOf(name));
  return { byName, scopeOf, mayRead };
}

/** The feed of a company's events, for who follows them; `resources` as below. */
export function feedRoutes(resources: readonly Resource[]) {
  const { byName, mayRead } = rightsTo(resources);
  const render = async ({ rows, ...place }: Awaited<ReturnType<typeof followEvents>>, ctx: Ctx) => ({
    events: await Promise.all(rows.map((row) => renderEvent(row, ctx, byName))),
    ...place,
  });
  return new Router("Events", "/").get(
    { followEvents: (ctx, _params, query) => followEvents(ctx, query, mayRead) },
    "/",
    {
      summary: "Follow the events",
      description:
        "The events behind `after`, oldest first, each once. Only events of records that the key may read. Without `after`: no events, only the `head` and the `epoch` to begin with.",
      query: FeedQuery.extend({ limit: pageQuery.limit }),
      record: { schema: FeedPage, render },
      problems: ["events_expired", "feed_restarted"],
    },
  );
}

/** The events of a company; `resources` are all kinds of records that have events. */
export function eventRoutes(resources: readonly Resource[]) {
  const { byName, scopeOf, mayRead } = rightsTo(resources);
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
