import { and, eq, type SQL, sql } from "drizzle-orm";
import type { CallCtx, Ctx, ReadCtx } from "#core/context.ts";
import { hasExternalId } from "#core/sql/external-id.ts";
import { type Given, keptStatement } from "#core/sql/kept-statements.ts";
import { createdIn, equalTo, isByChange, type Placed, readByChange, within } from "#core/sql/narrowed.ts";
import { readList, readOne } from "#core/sql/read-records.ts";
import { containsText, isIndexed, matchOf } from "#core/sql/text-search.ts";
import { ofOrder, withCaptures } from "#features/captures";
import type { RecordParams } from "#shared/fields/ids.ts";
import { idBelow, type Listed, type Page } from "#shared/page.ts";
import { isUlid } from "#shared/text/ulid.ts";
import { salesOrders } from "#tables/storefront";
import { type ListedOrderRow, selectOrders } from "./record.ts";
import type { OrderQuery } from "./staff-schema.ts";

const { createdAt, id: orderId } = salesOrders;
type Place = { take: number; filters: SQL };
type SortValue = NonNullable<Page["after"]>[number];
const searched = [
  salesOrders.orderNumber,
  sql<string>`${salesOrders.customer} ->> '$.name'`,
  sql<string>`${salesOrders.customer} ->> '$.email'`,
];

/** The orders, newest first or by the order of changes. Throws 422 for days that are out of order. */
export async function listOrders(
  ctx: Ctx,
  _params: unknown,
  { page, q, ...query }: OrderQuery & { page: Page },
): Promise<Listed<Placed<ListedOrderRow>>> {
  const isReference = q !== undefined && isUlid(q);
  const named = isReference ? eq(salesOrders.operation, q) : undefined;
  const filters = and(named, filtersOf(ctx, query)) ?? sql`true`;
  if (isByChange(query)) {
    const found = q === undefined || isReference ? undefined : containsText(q, searched);
    const list = { resource: "order", table: salesOrders, select: selectOrders } as const;
    return readByChange(ctx, list, { page, ...query }, and(filters, found));
  }
  if (!isReference && q !== undefined && isIndexed(q)) {
    const found = selectFound({ phrase: matchOf(q), below: idBelow(page), take: page.take, filters });
    return readList(ctx, page, found);
  }
  const [at = Number.MAX_SAFE_INTEGER, id = 0] = page.after ?? [];
  const matching = q === undefined || isReference ? sql`` : sql`AND ${containsText(q, searched)}`;
  return readList(ctx, page, selectNewest({ at, id, take: page.take, filters, matching }));
}

const selectNewest = keptStatement(
  ({ at, id, take, filters, matching }: Given<Place & { at: SortValue; id: SortValue; matching: SQL }>) =>
    selectOrders(sql`${filters} AND (${createdAt}, ${orderId}) < (${at}, ${id}) ${matching}
      ORDER BY ${createdAt} DESC, ${orderId} DESC LIMIT ${take}`),
);
// The index gives rows in the order of their ids, which is that in which they were made.
const selectFound = keptStatement(
  ({ phrase, below, take, filters }: Given<Place & { phrase: string; below: number }>) =>
    selectOrders(
      sql`sales_orders_search MATCH ${phrase} AND sales_orders_search.rowid < ${below}
        AND ${orderId} = sales_orders_search.rowid AND ${filters}
        ORDER BY sales_orders_search.rowid DESC LIMIT ${take}`,
      sql`sales_orders_search CROSS JOIN ${salesOrders}`,
    ),
);

export function getListedOrder(ctx: CallCtx, { id }: RecordParams): Promise<ListedOrderRow> {
  return readOne(ctx, withCaptures(selectOrders(eq(orderId, id)), ofOrder(id)));
}

/** Orders of which so much went back. */
function ofRefundStatus(status: NonNullable<OrderQuery["refund_status"]>): SQL {
  const isOfIt = sql`${salesOrders.refundStatus} = ${status}`;
  // The partial index has those of which something went back.
  return status === "none" ? isOfIt : sql`${salesOrders.refundStatus} <> 'none' AND ${isOfIt}`;
}

function filtersOf(ctx: ReadCtx, query: Omit<OrderQuery, "q">): SQL | undefined {
  const { needs_review: review, needs_refund: refund, refund_status: refundStatus } = query;
  const created = createdIn(ctx, createdAt, query);
  // Literal texts, so that the database can use its partial index of the orders that wait.
  const needsReview = review
    ? sql`${salesOrders.reviewCode} IS NOT NULL`
    : sql`${salesOrders.reviewCode} IS NULL`;
  const needsRefund = refund ? sql`${salesOrders.needsRefund} = 1` : sql`${salesOrders.needsRefund} = 0`;
  return and(
    hasExternalId("order", salesOrders.id, query.external_id),
    equalTo(salesOrders, query, "status", "payment_status", "review_code", "customer_id"),
    refundStatus && ofRefundStatus(refundStatus),
    review === undefined ? undefined : needsReview,
    refund === undefined ? undefined : needsRefund,
    created && within(created),
  );
}
