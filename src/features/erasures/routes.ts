import { Router } from "#contract/operation.ts";
import type { Resource } from "#contract/resource.ts";
import { RecordParams } from "#shared/fields/ids.ts";
import { createErasure } from "./create-erasure.ts";
import { erasureExample } from "./examples.ts";
import type { Mounted } from "./find.ts";
import { erasureResource } from "./resource.ts";
import { ErasureCreate, ErasureQuery, ErasureResult } from "./schema.ts";
import { getErasure, listErasures, renderErasure } from "./snapshot.ts";

/** The erasures of persons; `mounted` is all that has records of persons, and `changed` what events tell of them. */
export function erasureRoutes(mounted: Mounted, changed: readonly Resource[]): Router {
  return new Router("Settings: Erasures")
    .list(
      {
        id: "listErasures",
        method: "get",
        path: "/settings/:company/erasures",
        summary: "List the erasures of persons",
        description: "Newest first; by a hash of each person, never by name.",
        scope: "settings:read",
        query: ErasureQuery,
        result: ErasureResult,
        example: { result: erasureExample },
        render: renderErasure,
        sort: (row) => [row.id],
      },
      listErasures,
    )
    .add(
      {
        id: "createErasure",
        method: "post",
        changes: [erasureResource, ...changed],
        path: "/settings/:company/erasures",
        summary: "Erase a person",
        description:
          "Erases what the company has of a person, found by any of the identifiers given; 404 for an id that is not there. What a law asks to keep is kept, and named. It cannot be undone; run again, it completes what a fault left.",
        scope: "settings:write",
        body: ErasureCreate,
        result: ErasureResult,
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
        render: renderErasure,
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
        result: ErasureResult,
        example: { result: erasureExample },
        render: renderErasure,
      },
      getErasure,
    );
}
