import type { Client } from "@libsql/client";
import { copyRows, type Pattern, withoutTriggers } from "./clone.ts";

// Invoices are dated in so many financial years: a series has at most 999,999 numbers in each.
export const YEARS = 3;
const AGE_MS = 8 * 3_600_000;
const LESSON_MS = 1_800_000;

/** How many records of each kind a company is given. */
export type Size = {
  invoices: number;
  customers: number;
  products: number;
  bookings: number;
  workItems: number;
  messages: number;
};

/** The sizes beside a number of invoices, in the proportions of a company with a million. */
export function sizeOf(invoices: number): Size {
  const tenth = Math.ceil(invoices / 10);
  return {
    invoices,
    customers: tenth,
    products: tenth,
    bookings: tenth,
    workItems: Math.ceil(invoices / 2),
    messages: invoices,
  };
}

// No copy is of the last hour, whose records have events.
const aged = (column: string) => `t.${column} - ${AGE_MS}`;
const copied = {
  operation: "t.operation || '+' || i",
  created_at: aged("created_at"),
  updated_at: aged("updated_at"),
};
const numbered = (column: string, by: string) =>
  `rtrim(t.${column}, '0123456789') || printf('%05d', CAST(substr(t.${column}, -5) AS INTEGER) + ${by})`;

/** Copies the records of a company that has one of each kind (and an invoice and its payment in each year). */
export async function growCompany(database: Client, size: Size): Promise<void> {
  const tables = [
    ...["customers", "accounts", "invoices", "invoice_items", "payments", "journal_entries", "journal_lines"],
    ...["products", "bookings", "work_items", "messages", "message_recipients"],
  ];
  await withoutTriggers(database, tables, async () => {
    await growBooks(database, size);
    await growOthers(database, size);
  });
  await database.batch(
    [
      "INSERT INTO customers_search (rowid, name, email, phone, phone_digits) SELECT id, name, email, phone, phone_digits FROM customers WHERE operation LIKE '%+%'",
      "INSERT INTO products_search (rowid, name, sku) SELECT id, name, sku FROM products WHERE operation LIKE '%+%'",
    ],
    "write",
  );
  for (let from = 0; from < size.workItems + 2; from += 50_000)
    await database.execute({
      sql: `INSERT INTO work_items_search (rowid, project, reference, title)
        SELECT id, '#' || project_id || '#', reference, title FROM work_items WHERE operation LIKE '%+%' AND id > ? AND id <= ?`,
      args: [BigInt(from), BigInt(from + 50_000)],
    });
}

async function growBooks(database: Client, { invoices, customers }: Size): Promise<void> {
  const { rows } = await database.execute(`SELECT (SELECT min(customer_id) FROM invoices) AS customer,
    (SELECT max(id) FROM customers) AS customers, (SELECT max(id) FROM accounts) AS accounts,
    (SELECT id FROM accounts WHERE party_id = (SELECT min(customer_id) FROM invoices)) AS account`);
  const known = rows[0];
  if (known === undefined) throw new Error("The company has no invoice");
  const called = `iif(i % 100 = 0, 'Centum ', 'Customer ') || printf('%07d', i)`;
  const people: Pattern[] = [
    {
      table: "customers",
      where: `t.id = ${known.customer}`,
      changes: {
        ...copied,
        id: `${known.customers} + i`,
        name: called,
        email: "'c' || i || '@example.com'",
        email_lower: "'c' || i || '@example.com'",
      },
    },
    {
      table: "accounts",
      where: `t.id = ${known.account}`,
      changes: {
        id: `${known.accounts} + i`,
        code: `'1100-' || (${known.customers} + i)`,
        name: "t.name || ' ' || i",
        party_id: `${known.customers} + i`,
      },
    },
  ];
  await copyRows(database, people, customers);
  const buyer = `(${known.customers} + 1 + i % ${customers})`;
  const debtor = `iif(t.account_id = ${known.account}, ${known.accounts} + 1 + i % ${customers}, t.account_id)`;
  const sale: Pattern[] = [
    {
      table: "invoices",
      where: `t.id <= ${YEARS}`,
      changes: {
        ...copied,
        id: `t.id + ${YEARS} * i`,
        invoice_number: numbered("invoice_number", "i"),
        customer_id: buyer,
        customer: `json_set(t.customer, '$.id', ${buyer})`,
        public_token: "t.public_token || '+' || i",
      },
    },
    {
      table: "invoice_items",
      where: `t.invoice_id <= ${YEARS}`,
      changes: { id: `t.id + ${3 * YEARS} * i`, invoice_id: `t.invoice_id + ${YEARS} * i` },
    },
    {
      table: "payments",
      where: `t.id <= ${YEARS}`,
      changes: {
        ...copied,
        id: `t.id + ${YEARS} * i`,
        payment_number: numbered("payment_number", "i"),
        invoice_id: `t.invoice_id + ${YEARS} * i`,
        customer_id: buyer,
      },
    },
    {
      table: "journal_entries",
      where: `t.id <= ${2 * YEARS}`,
      changes: {
        id: `t.id + ${2 * YEARS} * i`,
        operation: copied.operation,
        created_at: copied.created_at,
        entry_number: numbered("entry_number", "2 * i"),
        source_id: `t.source_id + ${YEARS} * i`,
      },
    },
    {
      table: "journal_lines",
      where: `t.entry_id <= ${2 * YEARS}`,
      changes: { entry_id: `t.entry_id + ${2 * YEARS} * i`, account_id: debtor },
    },
  ];
  const copies = Math.ceil(invoices / YEARS);
  await copyRows(database, sale, copies);
  await database.batch(
    [
      {
        sql: "UPDATE number_series SET last = last + ? WHERE series IN ('invoice', 'payment')",
        args: [BigInt(copies)],
      },
      {
        sql: "UPDATE number_series SET last = last + ? WHERE series = 'journal'",
        args: [BigInt(2 * copies)],
      },
    ],
    "write",
  );
}

async function growOthers(database: Client, size: Size): Promise<void> {
  const label = "iif(i % 100 = 0, 'Centum ', 'Bottle ') || printf('%07d', i)";
  await copyRows(
    database,
    [
      {
        table: "products",
        where: "t.id = 1",
        changes: { ...copied, id: "10 + i", name: label, sku: "'BTL-' || i" },
      },
    ],
    size.products,
  );
  const shifted = (column: string) => `t.${column} - ${LESSON_MS} * i`;
  await copyRows(
    database,
    [
      {
        table: "bookings",
        where: "t.booking_number = (SELECT min(booking_number) FROM bookings)",
        changes: {
          operation: copied.operation,
          id: "'bkg_' || replace(replace(replace(replace(printf('%026d', i), '0', 'a'), '1', 'b'), '8', 'c'), '9', 'd')",
          booking_number:
            "substr(t.booking_number, 1, 3) || printf('%06d', CAST(substr(t.booking_number, 4) AS INTEGER) + i)",
          public_token: "printf('%043d', i)",
          start_at: shifted("start_at"),
          end_at: shifted("end_at"),
          created_at: shifted("created_at"),
          updated_at: shifted("updated_at"),
          booking_date: `date((${shifted("start_at")}) / 1000 + 19800, 'unixepoch')`,
          start_time: `strftime('%H:%M', (${shifted("start_at")}) / 1000 + 19800, 'unixepoch')`,
          end_time: `strftime('%H:%M', (${shifted("end_at")}) / 1000 + 19800, 'unixepoch')`,
        },
      },
    ],
    size.bookings,
  );
  await copyRows(
    database,
    [
      {
        table: "work_items",
        where: "t.id = 1",
        changes: {
          ...copied,
          id: "t.id + i",
          number: "t.number + i",
          reference: "(SELECT code FROM projects WHERE id = t.project_id) || '-' || (t.number + i)",
          title: label,
        },
      },
    ],
    size.workItems,
  );
  const letter = "'msg_01A' || printf('%023d', i)";
  await copyRows(
    database,
    [
      { table: "messages", where: "t.id = 'msg_010'", changes: { id: letter } },
      {
        table: "message_recipients",
        where: "t.message_id = 'msg_010'",
        changes: { id: "t.id + i", message_id: letter, provider_message_id: "'growth-' || i" },
      },
    ],
    size.messages,
  );
  const items = BigInt(size.workItems);
  await database.batch(
    [
      {
        sql: "UPDATE projects SET last_number = last_number + ?, open_items = open_items + ?",
        args: [items, items],
      },
      {
        sql: "UPDATE number_series SET last = last + ? WHERE series = 'booking'",
        args: [BigInt(size.bookings)],
      },
      "DELETE FROM message_recipients WHERE message_id = 'msg_010'",
      "DELETE FROM messages WHERE id = 'msg_010'",
    ],
    "write",
  );
}
