import { sql } from "drizzle-orm";
import { forgetCreates } from "#core/write/erased-external-ids.ts";
import { type Erasure, integersOf } from "#core/write/erasures.ts";
import { forgetSnapshots } from "#core/write/events.ts";
import {
  among,
  customersOf,
  isTheirContact,
  type Known,
  keptUntil,
  lastNineOf,
  lastNines,
  personEraser,
  UNDER_GST_LAW,
} from "#features/erasures";
import { creditNotes } from "#tables/credit-notes";
import { invoices } from "#tables/invoices";
import type { CustomerOnInvoice } from "./parties.ts";

// In the words of their indexes.
const email = sql`${invoices.customer} ->> '$.email'`;
const phone = sql`${invoices.customer} ->> '$.phone'`;
const hasContact = sql`(${email} IS NOT NULL OR ${phone} IS NOT NULL)`;

/** Erases again the e-mail address and number of buyers on invoices: all that is printed stays. */
export const invoiceContactErasure: Erasure = {
  action: "eraseInvoiceContact",
  left: (given) => sql`SELECT record FROM ${given} JOIN ${invoices}
    ON ${invoices.id} = CAST(record AS INTEGER) AND ${invoices.createdAt} <= at AND ${hasContact}`,
  forget: (left) => [
    forgetSnapshots("invoice", sql`SELECT record FROM (${left})`),
    // A credit note shows the parties of its invoice.
    forgetSnapshots(
      "credit_note",
      sql`SELECT CAST(${creditNotes.id} AS TEXT) FROM ${creditNotes} WHERE ${creditNotes.invoiceId} IN (${integersOf(left)})`,
    ),
  ],
  erase: (left) => [
    forgetCreates("invoice", left),
    sql`UPDATE ${invoices} SET customer = json_set(customer, '$.email', NULL, '$.phone', NULL)
      WHERE ${invoices.id} IN (${integersOf(left)})`,
  ],
};

type Row = { id: number; customer_id: number; buyer: CustomerOnInvoice; date: string };

/** The invoices of a person, voided ones too: by whom they are of, and by the address and number that they hold. */
export const invoiceContactEraser = personEraser<Row>({
  erasure: invoiceContactErasure,
  scope: "invoices:write",
  find: (_ctx, person) => {
    const ofCustomers = sql`SELECT ${invoices.id} FROM ${invoices} WHERE ${invoices.customerId} IN (${customersOf(person)})`;
    return sql`SELECT json_object('id', ${invoices.id}, 'customer_id', ${invoices.customerId},
      'buyer', json(${invoices.customer}), 'date', ${invoices.invoiceDate}) AS snapshot
      FROM ${invoices} WHERE ${hasContact} AND ${invoices.id} IN (
        ${ofCustomers} AND ${invoices.status} <> 'voided' UNION ${ofCustomers} AND ${invoices.status} = 'voided'
        UNION SELECT ${invoices.id} FROM ${invoices} WHERE ${email} IS NOT NULL AND lower(${email}) IN ${among(person.emails)}
        UNION SELECT ${invoices.id} FROM ${invoices} WHERE ${phone} IS NOT NULL AND ${lastNineOf(phone)} IN ${among(lastNines(person))})`;
  },
  theirs(rows, person) {
    const mine = rows.filter((row) => isTheirs(row, person));
    return {
      ids: mine.map(({ id }) => id),
      contacts: mine.flatMap(({ buyer }) => [buyer.email, buyer.phone]),
    };
  },
  // Those of the person's customers are listed with the rest of the books.
  kept: (rows, person) =>
    rows
      .filter((row) => isTheirs(row, person) && !person.customers.includes(row.customer_id))
      .map(({ date }) => ({
        what: "invoices" as const,
        why: `With the buyer as of their day. ${UNDER_GST_LAW}`,
        until: keptUntil(date),
      })),
});

function isTheirs({ customer_id, buyer }: Row, person: Known): boolean {
  return person.customers.includes(customer_id) || isTheirContact(buyer, person);
}
