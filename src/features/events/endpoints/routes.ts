import { Router } from "#api/operations/operation.ts";
import type { Resource } from "#api/operations/resource.ts";
import { recordVerbs } from "#core/write/collection.ts";
import { knowing } from "../knowing.ts";
import { createEndpoint, deleteEndpoint, rotateEndpoint, updateEndpoint } from "./endpoints.ts";
import { endpoint, IssuedEndpoint, renderIssuedEndpoint } from "./record.ts";
import { EndpointCreate, EndpointPatch, EndpointRotate } from "./schema.ts";

const { list, get } = recordVerbs({ record: endpoint });

/** The endpoints of a company; `resources` are all kinds of records that have events. */
export function endpointRoutes(resources: readonly Resource[]) {
  const byName = new Map(resources.map((resource) => [resource.name, resource]));
  const known = knowing(byName);
  return new Router("Settings: Event endpoints", "/event-endpoints")
    .collection({
      ids: { one: "EventEndpoint", list: "listEventEndpoints" },
      words: ["an event endpoint", "event endpoints"],
      record: endpoint,
      issued: { schema: IssuedEndpoint, render: renderIssuedEndpoint },
      create: EndpointCreate,
      patch: EndpointPatch,
      verbs: {
        list,
        get,
        create: (ctx, _params, body) => createEndpoint(ctx, body, byName),
        update: known(updateEndpoint),
        remove: known(deleteEndpoint),
      },
      problems: { create: ["limit_reached", "conflict"], update: ["conflict"] },
      notes: {
        create: {
          description:
            "From now on, the company's events of these types are sent to this address, signed by the Standard Webhooks specification. The key needs the scopes that read their records. Only this answer and that of a rotation show the `secret`. A company can have at most 10 endpoints.",
        },
        update: {
          description:
            "`types` replaces the whole list of types. `is_active: true` starts a disabled endpoint again.",
        },
        delete: {
          description:
            "Waiting events are not sent. The key needs the scopes that read the records of its types, as for a change.",
        },
      },
    })
    .post({ rotateEventEndpoint: known(rotateEndpoint) }, "/:id/rotate", {
      summary: "Give an event endpoint a new secret",
      description:
        "For `overlap_seconds`, requests are signed with the new and the previous secret. A second rotation in that time drops the oldest secret.",
      body: EndpointRotate,
      record: { schema: IssuedEndpoint, render: renderIssuedEndpoint },
    });
}
