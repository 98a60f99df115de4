import { Router } from "#api/operations/operation.ts";
import type { Resource } from "#api/operations/resource.ts";
import { Deleted, RecordParams, renderDeleted } from "#shared/fields/ids.ts";
import {
  createEndpoint,
  deleteEndpoint,
  getEndpoint,
  listEndpoints,
  rotateEndpoint,
  updateEndpoint,
} from "./endpoints.ts";
import { endpointExample, issuedEndpointExample, newEndpointExample } from "./examples.ts";
import { endpoint, IssuedEndpoint, renderIssuedEndpoint } from "./record.ts";
import { EndpointCreate, EndpointPatch, EndpointRotate } from "./schema.ts";

const PATH = "/settings/:company/event-endpoints";
const common = { result: endpoint.schema, render: endpoint.render } as const;
const issued = { result: IssuedEndpoint, render: renderIssuedEndpoint } as const;

/** The endpoints of a company; `resources` are all kinds of records that have events. */
export function endpointRoutes(resources: readonly Resource[]): Router {
  const byName = new Map(resources.map((resource) => [resource.name, resource]));
  return new Router("Settings: Event endpoints")
    .list(
      {
        ...common,
        id: "listEventEndpoints",
        method: "get",
        path: PATH,
        summary: "List event endpoints",
        scope: "settings:read",
        example: { result: endpointExample },
        sort: (row) => [row.id],
      },
      listEndpoints,
    )
    .add(
      {
        ...issued,
        id: "createEventEndpoint",
        method: "post",
        changes: [],
        path: PATH,
        summary: "Add an event endpoint",
        description:
          "From now on, the company's events of these types are sent to this address, signed by the Standard Webhooks specification. The key needs the scopes that read their records. Only this answer and that of a rotation show the `secret`. A company can have at most 10 endpoints.",
        scope: "settings:write",
        body: EndpointCreate,
        status: 201,
        problems: ["limit_reached", "conflict"],
        example: { body: newEndpointExample, result: issuedEndpointExample },
      },
      (ctx, _params, body) => createEndpoint(ctx, body, byName),
    )
    .add(
      {
        ...common,
        id: "getEventEndpoint",
        method: "get",
        path: `${PATH}/:id`,
        summary: "Read an event endpoint",
        scope: "settings:read",
        params: RecordParams,
        example: { result: endpointExample },
      },
      getEndpoint,
    )
    .add(
      {
        ...common,
        id: "updateEventEndpoint",
        method: "patch",
        changes: [],
        path: `${PATH}/:id`,
        summary: "Change an event endpoint",
        description:
          "`types` replaces the whole list of types. `is_active: true` starts a disabled endpoint again.",
        scope: "settings:write",
        params: RecordParams,
        body: EndpointPatch,
        problems: ["no_accepted_fields", "conflict"],
        example: {
          body: { is_active: false },
          result: {
            ...endpointExample,
            ...{ is_active: false, state: "disabled" as const, disabled_reason: "by_hand" as const },
          },
        },
      },
      (ctx, params, body) => updateEndpoint(ctx, params, body, byName),
    )
    .add(
      {
        ...issued,
        id: "rotateEventEndpoint",
        method: "post",
        changes: [],
        path: `${PATH}/:id/rotate`,
        summary: "Give an event endpoint a new secret",
        description:
          "For `overlap_seconds`, requests are signed with the new and the previous secret. A second rotation in that time drops the oldest secret.",
        scope: "settings:write",
        params: RecordParams,
        body: EndpointRotate,
        example: {
          body: { overlap_seconds: 86_400 },
          result: { ...issuedEndpointExample, previous_secret_expires_at: "2026-11-22T09:30:00.000Z" },
        },
      },
      (ctx, params, body) => rotateEndpoint(ctx, params, body, byName),
    )
    .add(
      {
        id: "deleteEventEndpoint",
        method: "delete",
        changes: [],
        path: `${PATH}/:id`,
        summary: "Remove an event endpoint",
        description:
          "Waiting events are not sent. The key needs the scopes that read the records of its types, as for a change.",
        scope: "settings:write",
        params: RecordParams,
        result: Deleted,
        example: { result: { id: "1", deleted: true } },
        render: renderDeleted,
      },
      (ctx, params) => deleteEndpoint(ctx, params, byName),
    );
}
