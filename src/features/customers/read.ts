import { and, eq, type SQL } from "drizzle-orm";
import type { CallCtx } from "#core/context.ts";
import { hasExternalId } from "#core/sql/external-id.ts";
import { type Given, keptStatement } from "#core/sql/kept-statements.ts";
import { createdIn, isByChange, type Placed, readNarrowed, within } from "#core/sql/narrowed.ts";
import { readList, readOne } from "#core/sql/read-records.ts";
import { isIndexed } from "#core/sql/text-search.ts";
import { ofCustomer, withCaptures } from "#features/captures";
import type { RecordParams } from "#shared/fields/ids.ts";
import type { Listed, Page } from "#shared/page.ts";
import { customers } from "#tables/customers";
import type { CustomerRow } from "./record.ts";
import type { CustomerQuery } from "./schema.ts";
import { isFound, selectCustomer, selectFound, selectListed } from "./snapshot.ts";

/** Live customers: newest first, or by the order that the query names. */
export function listCustomers(
  ctx: CallCtx,
  _params: unknown,
  query: CustomerQuery & { page: Page },
): Promise<Listed<Placed<CustomerRow>>> {
  const { q, page, external_id: externalId } = query;
  const created = createdIn(ctx, customers.createdAt, query);
  const own = hasExternalId("customer", customers.id, externalId);
  if (q !== undefined && isIndexed(q) && !isByChange(query))
    return readList(ctx, page, selectFound(page, q, and(created && within(created), own)));
  return readNarrowed(
    ctx,
    { resource: "customer", table: customers, select: (tail: SQL) => selectListed({ tail }) },
    query,
    [created],
    q === undefined ? undefined : isFound(q),
  );
}

export function getCustomer(ctx: CallCtx, { id }: RecordParams): Promise<CustomerRow> {
  return readOne(ctx, withCaptures(selectById({ id }), ofCustomer(id)));
}

const selectById = keptStatement(({ id }: Given<{ id: number }>) => selectCustomer(eq(customers.id, id)));
