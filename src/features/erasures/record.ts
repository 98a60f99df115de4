import { eq, sql } from "drizzle-orm";
import * as z from "zod";
import { resource } from "#api/operations/resource.ts";
import type { CallCtx } from "#core/context.ts";
import { dateTime, idText, json } from "#core/sql/fields.ts";
import { readNewest } from "#core/sql/read-records.ts";
import { type RowOf, record } from "#core/sql/record.ts";
import type { Listed, Page } from "#shared/page.ts";
import { personErasures } from "#tables/erasures";
import { ErasureCounts, type ErasureQuery, Kept } from "./schema.ts";

/** The erasure of a person. */
export const erasure = record(
  personErasures,
  {
    id: idText,
    requested_at: dateTime,
    person_hash: z.string().meta({
      description:
        "A keyed hash of the first identifier in the request. The key is the company's own. The hash does not show who the person was.",
    }),
    reason: z.string().nullable().describe("What the request said."),
    erased: json(ErasureCounts),
    kept: json(z.array(Kept).describe("What the law keeps, and for how long.")),
  },
  "Erasure",
);
export type ErasureRow = RowOf<typeof erasure>;

/** The data of erasure events, which never name the person. */
export const erasureResource = resource({
  name: "erasure",
  scope: "settings:read",
  record: erasure,
  select: (_ctx, id) => erasure.select(sql`${personErasures.id} = ${id}`),
});

/** The erasures of persons, newest first. */
export function listErasures(
  ctx: CallCtx,
  _params: unknown,
  { person_hash: hash, page }: ErasureQuery & { page: Page },
): Promise<Listed<ErasureRow>> {
  return readNewest(ctx, page, erasure, hash === undefined ? undefined : eq(personErasures.personHash, hash));
}
