import { type SQL, sql } from "drizzle-orm";
import { phraseOf } from "#core/sql/text-search.ts";
import { forgetCreates } from "#core/write/erased-external-ids.ts";
import { type Erasure, integersOf } from "#core/write/erasures.ts";
import { forgetSnapshots } from "#core/write/events.ts";
import {
  among,
  customersOf,
  isTheirContact,
  type Kept,
  type Known,
  keptUntil,
  lastNineOf,
  lastNines,
  type Person,
  personEraser,
  UNDER_GST_LAW,
} from "#features/erasures";
import { gatewayCaptures } from "#tables/captures";
import { paymentIntents } from "#tables/gateway-payments";
import { invoices } from "#tables/invoices";
import { gatewayRefunds } from "#tables/refunds";
import { salesOrders } from "#tables/storefront";
import { ERASED, type Shopper } from "../checkout/shopper.ts";
import { isAbandoned, orderErasure } from "./erase-abandoned.ts";

type Row = {
  id: number;
  customer_id: number;
  shopper: Shopper;
  invoiced: string | null;
  abandoned: 0 | 1;
  ended: 0 | 1;
};

const shopper = sql`${salesOrders.customer}`;
const hasContact = sql`(${shopper} ->> '$.email' <> ${ERASED} OR ${shopper} ->> '$.phone' IS NOT NULL
  OR ${shopper} ->> '$.shipping_address.phone' IS NOT NULL)`;
/** True when the shopper's contact is no longer needed: it is invoiced, or staff ended it, and nothing is owed or on its way back. */
const isEnded = sql`(NOT EXISTS (SELECT 1 FROM ${paymentIntents} JOIN ${gatewayCaptures} ON ${gatewayCaptures.intentId} = ${paymentIntents.id}
  JOIN ${gatewayRefunds} ON ${gatewayRefunds.captureId} = ${gatewayCaptures.id} AND ${gatewayRefunds.status} IN ('created', 'pending')
  WHERE ${paymentIntents.kind} = 'order' AND ${paymentIntents.refId} = CAST(${salesOrders.id} AS TEXT)) AND (${salesOrders.status} = 'invoiced' OR (${salesOrders.status} = 'cancelled'
  AND ${salesOrders.reviewedAt} IS NOT NULL AND ${salesOrders.paymentStatus} = 'unpaid'
  AND ${salesOrders.reviewCode} IS NULL AND ${salesOrders.needsRefund} = 0
  AND NOT EXISTS (SELECT 1 FROM ${paymentIntents} WHERE ${paymentIntents.kind} = 'order'
    AND ${paymentIntents.refId} = CAST(${salesOrders.id} AS TEXT) AND ${paymentIntents.status} = 'created'))))`;

/** Erases again the e-mail address and numbers of orders that stay; their invoices are of them. */
export const orderContactErasure: Erasure = {
  action: "eraseOrderContact",
  left: (given) => sql`SELECT record FROM ${given} JOIN ${salesOrders}
    ON ${salesOrders.id} = CAST(record AS INTEGER) AND ${salesOrders.createdAt} <= at AND ${hasContact}`,
  forget: (left) => [forgetSnapshots("order", sql`SELECT record FROM (${left})`)],
  erase: (left) => [
    forgetCreates("order", left),
    sql`UPDATE ${salesOrders} SET customer = json_replace(customer, '$.email', ${ERASED}, '$.phone', NULL,
      '$.shipping_address.phone', NULL) WHERE ${salesOrders.id} IN (${integersOf(left)})`,
  ],
};

/** The SELECT of what may be the person's: by whom it is of, and by what the shopper wrote. */
function selectOrders(person: Person): SQL<Row> {
  return sql`SELECT json_object('id', ${salesOrders.id}, 'customer_id', ${salesOrders.customerId},
    'shopper', json(${shopper}), 'abandoned', ${isAbandoned}, 'ended', ${isEnded} AND ${hasContact},
    'invoiced', (SELECT ${invoices.invoiceDate} FROM ${invoices} WHERE ${invoices.id} = ${salesOrders.invoiceId})) AS snapshot
    FROM ${salesOrders} WHERE ${salesOrders.id} IN (
      SELECT ${salesOrders.id} FROM ${salesOrders} WHERE ${salesOrders.customerId} IN (${customersOf(person)})
      ${writtenBy(person.emails)}
      UNION SELECT ${salesOrders.id} FROM ${salesOrders} WHERE ${shopper} ->> '$.phone' IS NOT NULL
        AND ${lastNineOf(sql`${shopper} ->> '$.phone'`)} IN ${among(lastNines(person))})`;
}

/** The orders of a person that no money can come for: they go. */
export const orderEraser = personEraser<Row>({
  erasure: orderErasure,
  scope: "orders:write",
  counts: "orders",
  externalIds: "order",
  find: (_ctx, person) => selectOrders(person),
  theirs(rows, person) {
    const gone = rows.filter((row) => row.abandoned === 1 && isTheirs(row, person));
    return {
      ids: gone.map(({ id }) => id),
      names: gone.map((row) => row.shopper.name),
      contacts: gone.map((row) => row.shopper.phone ?? null),
    };
  },
  left: (given) =>
    sql`SELECT record FROM ${given} JOIN ${salesOrders} ON ${salesOrders.id} = CAST(record AS INTEGER) AND ${isAbandoned}`,
  kept: (rows, person) =>
    rows
      .filter((row) => row.abandoned === 0 && isTheirs(row, person))
      .flatMap(({ invoiced }) => keptOf(invoiced)),
});

/** The orders of a person that stay, and have an address or number that is no longer needed. */
export const orderContactEraser = personEraser<Row>({
  erasure: orderContactErasure,
  scope: "orders:write",
  find: (_ctx, person) => selectOrders(person),
  theirs(rows, person) {
    const blanked = rows.filter((row) => row.abandoned === 0 && row.ended === 1 && isTheirs(row, person));
    const written = ({ shopper: { email, phone = null, shipping_address: to = null } }: Row) => [
      ...(email === ERASED ? [] : [email]),
      ...[phone, to?.phone ?? null],
    ];
    return { ids: blanked.map(({ id }) => id), contacts: blanked.flatMap(written) };
  },
});

function isTheirs({ customer_id, shopper: { email, phone = null } }: Row, person: Known): boolean {
  return person.customers.includes(customer_id) || isTheirContact({ email, phone }, person);
}

function keptOf(invoiced: string | null): Kept[] {
  if (invoiced === null)
    return [
      {
        what: "orders" as const,
        why: "Money came for them, or may still come. An hourly job erases orders that stay unpaid",
        until: null,
      },
    ];
  const until = keptUntil(invoiced);
  return [
    { what: "orders" as const, why: `Their invoices are of them. ${UNDER_GST_LAW}`, until },
    { what: "invoices" as const, why: `With the buyer as of their day. ${UNDER_GST_LAW}`, until },
  ];
}

/** The orders whose shopper gave one of these addresses, by the index of their texts; it takes no empty phrase. */
function writtenBy(emails: readonly string[]): SQL {
  if (emails.length === 0) return sql``;
  const phrase = `email : (${emails.map(phraseOf).join(" OR ")})`;
  return sql`UNION SELECT rowid FROM sales_orders_search WHERE sales_orders_search MATCH ${phrase}`;
}
