import { type SQL, sql } from "drizzle-orm";
import {
  among,
  isTheirNumber,
  type Kept,
  type Known,
  keptUntil,
  lastNineOf,
  lastNines,
  personEraser,
  UNDER_GST_LAW,
} from "#features/erasures";
import { phraseOf } from "#platform/sql/text-search.ts";
import { customers } from "#tables/customers";
import { invoices } from "#tables/invoices";
import type { StoredShopper } from "../checkout/shopper.ts";
import { salesOrders } from "../tables.ts";
import { isAbandoned, orderErasure } from "./erase-abandoned.ts";

type Row = {
  id: number;
  customer_id: number;
  shopper: StoredShopper;
  invoiced: string | null;
  abandoned: 0 | 1;
};

const shopper = sql`${salesOrders.customer}`;

/** The orders of a person: by who they are of, and by what the shopper wrote. Those that no money can come for go. */
export const orderEraser = personEraser<Row>({
  erasure: orderErasure,
  counts: "orders",
  find: (
    _ctx,
    person,
  ) => sql`SELECT json_object('id', ${salesOrders.id}, 'customer_id', ${salesOrders.customerId},
    'shopper', json(${salesOrders.customer}), 'abandoned', ${isAbandoned},
    'invoiced', (SELECT ${invoices.invoiceDate} FROM ${invoices} WHERE ${invoices.id} = ${salesOrders.invoiceId})) AS snapshot
    FROM ${salesOrders} WHERE ${salesOrders.id} IN (
      SELECT ${salesOrders.id} FROM ${salesOrders} WHERE ${salesOrders.customerId} IN (
        SELECT ${customers.id} FROM ${customers} WHERE ${customers.emailLower} IN ${among(person.emails)}
        UNION SELECT ${customers.id} FROM ${customers} WHERE ${customers.phoneLast9} IN ${among(lastNines(person))}
        UNION SELECT ${person.given.customer_id ?? 0})
      ${writtenBy(person.emails)}
      UNION SELECT ${salesOrders.id} FROM ${salesOrders} WHERE ${shopper} ->> '$.phone' IS NOT NULL
        AND ${lastNineOf(sql`${shopper} ->> '$.phone'`)} IN ${among(lastNines(person))})`,
  theirs(rows, person) {
    const gone = rows.filter((row) => row.abandoned === 1 && isTheirs(row, person));
    return {
      ids: gone.map(({ id }) => id),
      names: gone.map((row) => row.shopper.name),
      phones: gone.map((row) => row.shopper.phone ?? null),
    };
  },
  left: (given) =>
    sql`SELECT record FROM ${given} JOIN ${salesOrders} ON ${salesOrders.id} = CAST(record AS INTEGER) AND ${isAbandoned}`,
  kept: (rows, person) =>
    rows
      .filter((row) => row.abandoned === 0 && isTheirs(row, person))
      .flatMap(({ invoiced }) => keptOf(invoiced)),
});

function isTheirs({ customer_id, shopper: { email, phone = null } }: Row, person: Known): boolean {
  return (
    person.customers.includes(customer_id) ||
    person.emails.includes(email.toLowerCase()) ||
    isTheirNumber(phone, person.country, person)
  );
}

function keptOf(invoiced: string | null): Kept[] {
  if (invoiced === null)
    return [
      {
        what: "orders" as const,
        why: "Money came for them, or may still come; housekeeping erases what stays unpaid",
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
