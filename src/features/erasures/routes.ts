import { Router } from "#api/operations/operation.ts";
import { recordVerbs } from "#core/write/collection.ts";
import type { ResourceName } from "#shared/resource-names.ts";
import { createErasure, erasingScopes } from "./create-erasure.ts";
import type { Mounted } from "./find.ts";
import { erasure, listErasures } from "./record.ts";
import { ErasureCreate, ErasureQuery } from "./schema.ts";

/** The erasures of persons; `mounted` has every kind of record of persons, `changed` the kinds that leave events. */
export function erasureRoutes(mounted: Mounted, changed: readonly ResourceName[]) {
  const scopes = erasingScopes(mounted)
    .map((scope) => `\`${scope}\``)
    .join(", ");
  return new Router("Settings: Erasures", "/erasures", { record: erasure })
    .list({ listErasures }, "/", {
      summary: "List the erasures of persons",
      description: "Newest first. Each has a hash of the person, never a name.",
      query: ErasureQuery,
    })
    .create({ createErasure: (ctx, _params: unknown, body) => createErasure(ctx, body, mounted) }, "/", {
      isFinal: true,
      changes: ["erasure", ...changed],
      summary: "Erase a person",
      description: `Erases the company's data of a person, found by any of the identifiers in the request; 404 for an unknown id. The key always needs all of ${scopes}. Data that a law requires is kept, and the answer lists it. This cannot be undone. If a fault interrupts it, send it again to complete it.`,
      body: ErasureCreate,
      problems: ["not_found"],
    })
    .get({ getErasure: recordVerbs({ record: erasure }).get }, "/:id", {
      summary: "Read the erasure of a person",
    });
}
