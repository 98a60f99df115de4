import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import * as z from "zod";
import { Router } from "#api/operations/operation.ts";
import type { CallCtx } from "#core/context.ts";
import { amount, described, from, instant, nullable } from "#core/sql/fields.ts";
import { readList } from "#core/sql/read-records.ts";
import { type RowOf, record } from "#core/sql/record.ts";
import type { Listed, Page } from "#shared/page.ts";
import { GATEWAY_KINDS } from "#shared/payments/gateways.ts";
import { gatewayCaptures } from "#tables/captures";
import { gatewayEvents } from "#tables/gateway-payments";

const other = alias(gatewayEvents, "other");
/** The reports of the same payment. */
const ofSame = sql`${gatewayEvents} AS ${other} WHERE ${other.gateway} = ${gatewayEvents.gateway}
  AND ${other.gatewayPaymentId} = ${gatewayEvents.gatewayPaymentId}
  AND ${isNull(other.intentId)} AND ${isNotNull(other.amount)}`;

/** Money that a gateway reports and no record of the company knows. */
const ignoredPayment = record(
  gatewayEvents,
  {
    event_id: z.string().meta({ description: "The gateway's name of the event." }),
    gateway: z.enum(GATEWAY_KINDS),
    type: z.string().meta({ description: "The gateway's own word for the event." }),
    gateway_payment_id: z.string().nullable(),
    amount: nullable(amount),
    currency: z.string().nullable(),
    received_at: described(instant, "When its first event came, which the other members are of."),
    last_received_at: from(
      sql<number>`(SELECT max(${other.receivedAt}) FROM ${ofSame})`,
      described(instant, "When its last event came."),
    ),
  },
  "IgnoredPayment",
);
type IgnoredRow = RowOf<typeof ignoredPayment>;

export const ignoredPaymentRoutes = new Router("Ledger", "/ignored-payments").list(
  { listIgnoredPayments },
  "/",
  {
    summary: "List payments that are not the company's",
    description:
      "Payments that a gateway reports and no record knows, newest first, such as of another shop with the same account. They are not in the books.",
    record: ignoredPayment,
    sort: (row) => [row.received_at, row.gateway, row.event_id],
  },
);

/** The payments that no record knows, newest first, each by its first report; one that became known since is left out. */
function listIgnoredPayments(
  ctx: CallCtx,
  _params: unknown,
  { page }: { page: Page },
): Promise<Listed<IgnoredRow>> {
  const { gateway, eventId, gatewayPaymentId, intentId, outcome, receivedAt } = gatewayEvents;
  const [at = Number.MAX_SAFE_INTEGER, kind = "", event = ""] = page.after ?? [];
  const isKnown = sql`EXISTS (SELECT 1 FROM ${gatewayCaptures} WHERE ${gatewayCaptures.gateway} = ${gateway}
    AND ${gatewayCaptures.gatewayPaymentId} = ${gatewayPaymentId})`;
  const which = and(
    isNull(intentId),
    eq(outcome, "ignored"),
    isNotNull(gatewayEvents.amount),
    sql`NOT ${isKnown}`,
    sql`NOT EXISTS (SELECT 1 FROM ${ofSame}
      AND (${other.receivedAt}, ${other.eventId}) < (${receivedAt}, ${eventId}))`,
    sql`(${receivedAt}, ${gateway}, ${eventId}) < (${at}, ${kind}, ${event})`,
  );
  const tail = sql`${which} ORDER BY ${receivedAt} DESC, ${gateway} DESC, ${eventId} DESC LIMIT ${page.take}`;
  return readList(ctx, page, ignoredPayment.select(tail));
}
