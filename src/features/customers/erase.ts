import { type Column, type SQL, sql } from "drizzle-orm";
import { emptied, holdsAny } from "#core/sql/columns.ts";
import { eraseExternal, forgetCreates } from "#core/write/erased-external-ids.ts";
import { type Erasure, integersOf } from "#core/write/erasures.ts";
import { forgetSnapshots } from "#core/write/events.ts";
import {
  customersOf,
  isMatched,
  keptUntil,
  ofPerson,
  personEraser,
  personKeeper,
  UNDER_GST_LAW,
} from "#features/erasures";
import { debtorAccountOf, eraseDebtorAccounts } from "#features/ledger";
import { bookingPackages, bookings } from "#tables/bookings";
import { auditLog } from "#tables/core";
import { creditNotes } from "#tables/credit-notes";
import { customers } from "#tables/customers";
import { invoices } from "#tables/invoices";
import { accounts, journalEntries, journalLines } from "#tables/ledger";
import { payments } from "#tables/payments";
import { gatewayRefunds } from "#tables/refunds";
import { salesOrders } from "#tables/storefront";

const ERASED = "erased";

// In the words of the two indexes by customer: every payment is of an invoice.
const hasInvoices = sql`(EXISTS (SELECT 1 FROM ${invoices} WHERE ${invoices.customerId} = ${customers.id} AND ${invoices.status} <> 'voided')
  OR EXISTS (SELECT 1 FROM ${invoices} WHERE ${invoices.customerId} = ${customers.id} AND ${invoices.status} = 'voided'))`;
/** Whether the books name a customer, or an order that is not erased. */
const isInBooks = sql`(${hasInvoices}
  OR EXISTS (SELECT 1 FROM ${salesOrders} WHERE ${salesOrders.customerId} = ${customers.id})
  OR EXISTS (SELECT 1 FROM ${accounts} JOIN ${journalLines} ON ${journalLines.accountId} = ${accounts.id}
    WHERE ${debtorAccountOf(sql`${customers.id}`)}))`;
/** What the books keep of a customer whom they name, as invoices bear it. */
const IN_BOOKS = ["companyName", "gstin", "pan", "address", "city", "stateCode", "deletedAt"] as const;
const hasContact = sql`(${holdsAny(customers, IN_BOOKS)} OR ${customers.metadata} <> '{}')`;

/** Erases again the customers whose person was erased: whole, or where the books name them all but what is on an invoice. */
export const customerErasure: Erasure = {
  action: "eraseCustomer",
  left: (given) => sql`SELECT record FROM ${given} JOIN ${customers}
    ON ${customers.id} = CAST(record AS INTEGER) AND ${customers.createdAt} <= at
      AND (${hasContact} OR (${customers.name} <> ${ERASED} AND NOT ${isInBooks}))`,
  forget: (left) => {
    const ids = integersOf(left);
    const ofTheirs = (resource: string, { id, customerId }: Record<"id" | "customerId", Column>) =>
      forgetSnapshots(
        resource,
        sql`SELECT CAST(${id} AS TEXT) FROM ${id.table} WHERE ${customerId} IN (${ids})`,
      );
    return [
      forgetSnapshots("customer", sql`SELECT record FROM (${left})`),
      ofTheirs("invoice", invoices),
      ofTheirs("credit_note", creditNotes),
      forgetSnapshots(
        "payment",
        sql`SELECT CAST(${payments.id} AS TEXT) FROM ${payments} WHERE ${payments.invoiceId} IN (
          SELECT ${invoices.id} FROM ${invoices} WHERE ${invoices.customerId} IN (${ids}))`,
      ),
      ofTheirs("order", salesOrders),
      ofTheirs("booking", bookings),
      ofTheirs("package", bookingPackages),
    ];
  },
  erase: (left) => {
    const ids = integersOf(left);
    // As the batch's own row says it, which comes first.
    const at = sql`(SELECT ${auditLog.at} FROM ${auditLog} WHERE ${auditLog.record} = CAST(${customers.id} AS TEXT)
      AND ${auditLog.action} = ${customerErasure.action} ORDER BY ${auditLog.id} DESC LIMIT 1)`;
    const gone = sql`SELECT ${customers.id} FROM ${customers} WHERE ${customers.id} IN (${ids}) AND NOT ${isInBooks}`;
    const contact = sql`${emptied(customers, IN_BOOKS)}, metadata = '{}', updated_at = ${at}`;
    const papers = (table: typeof invoices | typeof payments | typeof creditNotes) =>
      sql`SELECT CAST(${table.id} AS TEXT) FROM ${table} WHERE ${table.customerId} IN (${ids})`;
    return [
      eraseExternal("customer", left),
      forgetCreates("invoice", papers(invoices)),
      forgetCreates("payment", papers(payments)),
      forgetCreates("credit_note", papers(creditNotes)),
      eraseDebtorAccounts(gone),
      sql`UPDATE ${customers} SET ${emptied(customers, ["deletedAt"])}, name = ${ERASED}, state = '', pincode = '',
        metadata = '{}', updated_at = ${at}, deleted_at = coalesce(deleted_at, ${at})
        WHERE ${customers.id} IN (${gone})`,
      sql`UPDATE ${customers} SET ${contact} WHERE ${customers.id} IN (${ids})`,
    ];
  },
};

type Row = { id: number; email: string | null; phone: string | null; country: string; name: string };

/** Customers by their e-mail address and phone number, deleted ones too. */
export const customerEraser = personEraser<Row>({
  erasure: customerErasure,
  scope: "customers:write",
  counts: "customers",
  externalIds: "customer",
  named: { by: "customer_id", in: customers },
  find: (_ctx, person) => sql`SELECT json_object('id', ${customers.id}, 'email', ${customers.emailLower},
    'phone', ${customers.phone}, 'country', ${customers.country}, 'name', ${customers.name}) AS snapshot
    FROM ${customers} WHERE ${customers.id} IN (${customersOf(person)})`,
  theirs: (rows, person) => {
    const isAsked = ({ id }: Row) => id === person.given.customer_id;
    return ofPerson(rows.filter((row) => isAsked(row) || isMatched(row, person, row.country)));
  },
});

type Books = {
  id: number;
  invoiced: string | null;
  paid: string | null;
  refunded: string | null;
  posted: string | null;
  ordered: 0 | 1;
};

/** What the books keep of the person. */
export const booksKeeper = personKeeper<Books>({
  find: (_ctx, person) => {
    const ofCustomer = sql`${invoices.customerId} = ${customers.id}`;
    const dated = (date: SQL) => sql`max(
      coalesce((SELECT max(${date}) FROM ${invoices} WHERE ${ofCustomer} AND ${invoices.status} <> 'voided'), ''),
      coalesce((SELECT max(${date}) FROM ${invoices} WHERE ${ofCustomer} AND ${invoices.status} = 'voided'), ''))`;
    const paid = sql`(SELECT max(${payments.paymentDate}) FROM ${payments} WHERE ${payments.invoiceId} = ${invoices.id})`;
    return sql`SELECT json_object('id', ${customers.id},
      'invoiced', nullif(${dated(sql`${invoices.invoiceDate}`)}, ''), 'paid', nullif(${dated(paid)}, ''),
      'refunded', (SELECT max(date(coalesce(${gatewayRefunds.settledAt}, ${gatewayRefunds.createdAt}) / 1000, 'unixepoch'))
        FROM ${gatewayRefunds} WHERE ${gatewayRefunds.customerId} = ${customers.id}),
      'posted', (SELECT max(${journalEntries.entryDate}) FROM ${accounts}
        CROSS JOIN ${journalLines} ON ${journalLines.accountId} = ${accounts.id}
        CROSS JOIN ${journalEntries} ON ${journalEntries.id} = ${journalLines.entryId}
        WHERE ${debtorAccountOf(sql`${customers.id}`)}),
      'ordered', EXISTS (SELECT 1 FROM ${salesOrders} WHERE ${salesOrders.customerId} = ${customers.id}
        AND ${salesOrders.status} = 'invoiced')) AS snapshot
      FROM ${customers} WHERE ${customers.id} IN (${customersOf(person)})`;
  },
  kept: (rows, person) => rows.filter(({ id }) => person.customers.includes(id)).flatMap(keptOf),
});

function keptOf({ invoiced, paid, refunded, posted, ordered }: Books) {
  const underLaw = (
    what: "invoices" | "payments" | "refunds" | "journal_entries" | "customer",
    date: string | null,
  ) => (date === null ? [] : [{ what, why: UNDER_GST_LAW, until: keptUntil(date) }]);
  const last = [invoiced, paid, refunded, posted].reduce((one, other) =>
    (one ?? "") > (other ?? "") ? one : other,
  );
  return [
    ...underLaw("customer", last).map((kept) => ({
      ...kept,
      why: `Name, billing address, GSTIN and state, as the books name the customer. ${kept.why}`,
    })),
    ...underLaw("invoices", invoiced).map((kept) => ({
      ...kept,
      why: `With their credit notes and the buyer as of their day${ordered === 1 ? ", and the orders that they are of" : ""}. ${kept.why}`,
    })),
    ...underLaw("payments", paid),
    ...underLaw("refunds", refunded),
    ...underLaw("journal_entries", posted),
  ];
}
