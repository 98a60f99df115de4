import { Router } from "#api/operations/operation.ts";
import type { Resource } from "#api/operations/resource.ts";
import { testEndpoint } from "../endpoints/test-endpoint.ts";
import { knowing } from "../knowing.ts";
import { getDelivery, listDeliveries } from "./read-deliveries.ts";
import {
  attempt,
  DeliveryDetail,
  type DetailRow,
  EventDelivery,
  renderDelivery,
  renderDetail,
} from "./record.ts";
import { DeliveryParams, DeliveryQuery, EndpointTest, Replay, Replayed } from "./schema.ts";
import { redeliver, replay } from "./send-again.ts";

/** What was sent to the endpoints of a company; `resources` are all kinds of records that have events. */
export function deliveryRoutes(resources: readonly Resource[]) {
  const byName = new Map(resources.map((resource) => [resource.name, resource]));
  const known = knowing(byName);
  return new Router("Settings: Event endpoints", "/event-endpoints", {
    record: { schema: EventDelivery, render: renderDelivery },
  })
    .list({ listEventDeliveries: listDeliveries }, "/:id/deliveries", {
      summary: "List the deliveries to an event endpoint",
      description: "Newest first. Deliveries are kept as long as their events.",
      query: DeliveryQuery,
    })
    .get({ getEventDelivery: known(getDelivery) }, "/:id/deliveries/:delivery_id", {
      summary: "Read a delivery with its request and answer",
      description: "403 `insufficient_scope` if the key may not read the record of the event.",
      params: DeliveryParams,
      record: { schema: DeliveryDetail, render: (row: DetailRow, ctx) => renderDetail(row, ctx, byName) },
    })
    .post({ redeliverEvent: known(redeliver) }, "/:id/deliveries/:delivery_id/redeliver", {
      summary: "Send an event once more",
      description: "Sends it at once, with the same `webhook-id`. Refused while the endpoint is disabled.",
      params: DeliveryParams,
      status: 202,
      problems: ["invalid_status"],
    })
    .post({ replayEvents: known(replay) }, "/:id/replay", {
      summary: "Send kept events again",
      description:
        "Sends the events since a time or a `sequence` that the endpoint has not taken: 50 a second, 10,000 at most. Refused while the endpoint is disabled.",
      body: Replay,
      record: { schema: Replayed, render: ({ queued }) => ({ queued }) },
      status: 202,
      problems: ["invalid_status", "replay_too_large"],
    })
    .post({ testEventEndpoint: testEndpoint }, "/:id/test", {
      summary: "Send a test event and wait for the answer",
      description:
        "Sends an example of the type, or `test.ping`, with `sequence` 0. It also works on a disabled endpoint, and does not change it. If it succeeds on an active endpoint, `failing` ends and waiting events are sent.",
      body: EndpointTest,
      record: { schema: attempt.schema, render: ({ id: _, ...row }) => attempt.render(row) },
    });
}
