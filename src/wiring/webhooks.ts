import type { Webhook } from "#api/openapi/webhooks.ts";
import { Event } from "../features/events/schema.ts";
import { EVENT_TYPES, TYPE_NAMES } from "../features/events/types.ts";
import { allResources } from "./resources.ts";

const resources = await allResources();

/** What endpoints of a company are sent, for the API document and the tests: a webhook for each type of event. */
export const webhooks: readonly Webhook[] = TYPE_NAMES.map((name) => {
  const { resource: kind, description } = EVENT_TYPES[name];
  const resource = resources.find((one) => one.name === kind);
  if (resource === undefined) throw new Error(`${name} is about no resource`);
  const { scope, record } = resource;
  return {
    ...{ name, description, scope, record },
    onDemand: "onDemand" in EVENT_TYPES[name],
    envelope: Event,
  };
});
