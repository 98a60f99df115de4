import { Router } from "#api/operations/operation.ts";
import { RecordParams } from "#shared/fields/ids.ts";
import type { ResourceName } from "#shared/resource-names.ts";
import { createErasure, erasingScopes } from "./create-erasure.ts";
import { erasureExample } from "./examples.ts";
import type { Mounted } from "./find.ts";
import { erasure, getErasure, listErasures } from "./record.ts";
import { ErasureCreate, ErasureQuery } from "./schema.ts";

/** The erasures of persons; `mounted` has every kind of record of persons, `changed` the kinds that leave events. */
export function erasureRoutes(mounted: Mounted, changed: readonly ResourceName[]): Router {
  const scopes = erasingScopes(mounted)
    .map((scope) => `\`${scope}\``)
    .join(", ");
  return new Router("Settings: Erasures")
    .list(
      {
        id: "listErasures",
        path: "/settings/:company/erasures",
        summary: "List the erasures of persons",
        description: "Newest first. Each has a hash of the person, never a name.",
        scope: "settings:read",
        query: ErasureQuery,
        record: erasure,
        example: { result: erasureExample },
      },
      listErasures,
    )
    .add(
      {
        id: "createErasure",
        isFinal: true,
        method: "post",
        changes: ["erasure", ...changed],
        path: "/settings/:company/erasures",
        summary: "Erase a person",
        description: `Erases the company's data of a person, found by any of the identifiers in the request; 404 for an unknown id. The key always needs all of ${scopes}. Data that a law requires is kept, and the answer lists it. This cannot be undone. If a fault interrupts it, send it again to complete it.`,
        scope: "settings:write",
        body: ErasureCreate,
        record: erasure,
        status: 201,
        problems: ["not_found"],
        example: {
          body: {
            email: "meera@example.com",
            phone: "+91 98450 12345",
            reason: "Asked by letter on 19 November",
          },
          result: erasureExample,
        },
      },
      (ctx, _params: unknown, body) => createErasure(ctx, body, mounted),
    )
    .add(
      {
        id: "getErasure",
        method: "get",
        path: "/settings/:company/erasures/:id",
        summary: "Read the erasure of a person",
        scope: "settings:read",
        params: RecordParams,
        record: erasure,
        example: { result: erasureExample },
      },
      getErasure,
    );
}
