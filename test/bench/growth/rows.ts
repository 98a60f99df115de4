import type { Client, InStatement } from "@libsql/client";
import { copyRows, type Pattern, withoutTriggers } from "./clone.ts";

// Invoices are dated in so many financial years: a series has at most 999,999 numbers in each.
export const YEARS = 3;
// Found by their key, which has an index: the table grows with each batch.
const MOVES = Array.from({ length: YEARS }, (_, place) => `'payment:${place + 1}'`);
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

const copy = (table: string, where: string, changes: Pattern["changes"]): Pattern => ({
  table,
  where,
  changes,
});
const advance = (series: string, by: number): InStatement => ({
  sql: "UPDATE number_series SET last = last + ? WHERE series = ?",
  args: [BigInt(by), series],
});

async function growBooks(database: Client, { invoices, customers }: Size): Promise<void> {
  const { rows } = await database.execute(`SELECT (SELECT min(customer_id) FROM invoices) AS customer,
    (SELECT max(id) FROM customers) AS customers, (SELECT max(id) FROM accounts) AS accounts,
    (SELECT id FROM accounts WHERE party_id = (SELECT min(customer_id) FROM invoices)) AS account`);
  const known = rows[0];
  if (known === undefined) throw new Error("The company has no invoice");
  const email = "'c' || i || '@example.com'";
  const people = [
    copy("customers", `t.id = ${known.customer}`, {
      ...{ ...copied, id: `${known.customers} + i`, email, email_lower: email },
      name: `iif(i % 100 = 0, 'Centum ', 'Customer ') || printf('%07d', i)`,
    }),
    copy("accounts", `t.id = ${known.account}`, {
      id: `${known.accounts} + i`,
      code: `'1100-' || (${known.customers} + i)`,
      name: "t.name || ' ' || i",
      party_id: `${known.customers} + i`,
    }),
  ];
  await copyRows(database, people, customers);
  const buyer = `(${known.customers} + 1 + i % ${customers})`;
  const debtor = `iif(t.account_id = ${known.account}, ${known.accounts} + 1 + i % ${customers}, t.account_id)`;
  const invoice = `t.invoice_id + ${YEARS} * i`;
  const sale = [
    copy("invoices", `t.id <= ${YEARS}`, {
      ...{ ...copied, id: `t.id + ${YEARS} * i`, invoice_number: numbered("invoice_number", "i") },
      customer_id: buyer,
      customer: `json_set(t.customer, '$.id', ${buyer})`,
      public_token: "t.public_token || '+' || i",
    }),
    copy("invoice_items", `t.invoice_id <= ${YEARS}`, {
      ...{ id: `t.id + ${3 * YEARS} * i`, invoice_id: invoice },
    }),
    copy("payments", `t.id <= ${YEARS}`, {
      ...{ ...copied, id: `t.id + ${YEARS} * i`, payment_number: numbered("payment_number", "i") },
      ...{ invoice_id: invoice, customer_id: buyer },
    }),
    copy("money_moves", `t.key IN (${MOVES})`, {
      ...{
        operation: copied.operation,
        created_at: copied.created_at,
        key: `'payment:' || (t.source_id + ${YEARS} * i)`,
      },
      ...{ sale: `'invoice:' || (t.to_id + ${YEARS} * i)`, to_id: `t.to_id + ${YEARS} * i` },
      source_id: `t.source_id + ${YEARS} * i`,
    }),
    copy("journal_entries", `t.id <= ${2 * YEARS}`, {
      ...{ operation: copied.operation, created_at: copied.created_at, id: `t.id + ${2 * YEARS} * i` },
      entry_number: numbered("entry_number", "2 * i"),
      source_id: `t.source_id + ${YEARS} * i`,
    }),
    copy("journal_lines", `t.entry_id <= ${2 * YEARS}`, {
      ...{ entry_id: `t.entry_id + ${2 * YEARS} * i`, account_id: debtor },
    }),
  ];
  const copies = Math.ceil(invoices / YEARS);
  await copyRows(database, sale, copies);
  const numbers = [advance("invoice", copies), advance("payment", copies), advance("journal", 2 * copies)];
  await database.batch(numbers, "write");
}

async function growOthers(database: Client, size: Size): Promise<void> {
  const label = "iif(i % 100 = 0, 'Centum ', 'Bottle ') || printf('%07d', i)";
  const bottles = copy("products", "t.id = 1", { ...copied, id: "10 + i", name: label, sku: "'BTL-' || i" });
  await copyRows(database, [bottles], size.products);
  const shifted = (column: string) => `t.${column} - ${LESSON_MS} * i`;
  const local = (form: string, column: string) =>
    `strftime('${form}', (${shifted(column)}) / 1000 + 19800, 'unixepoch')`;
  const lessons = copy("bookings", "t.booking_number = (SELECT min(booking_number) FROM bookings)", {
    operation: copied.operation,
    id: "'bkg_' || replace(replace(replace(replace(printf('%026d', i), '0', 'a'), '1', 'b'), '8', 'c'), '9', 'd')",
    booking_number:
      "substr(t.booking_number, 1, 3) || printf('%06d', CAST(substr(t.booking_number, 4) AS INTEGER) + i)",
    public_token: "printf('%043d', i)",
    ...Object.fromEntries(
      ["start_at", "end_at", "created_at", "updated_at"].map((column) => [column, shifted(column)]),
    ),
    booking_date: local("%Y-%m-%d", "start_at"),
    start_time: local("%H:%M", "start_at"),
    end_time: local("%H:%M", "end_at"),
  });
  await copyRows(database, [lessons], size.bookings);
  const items = copy("work_items", "t.id = 1", {
    ...{ ...copied, id: "t.id + i", number: "t.number + i", title: label },
    reference: "(SELECT code FROM projects WHERE id = t.project_id) || '-' || (t.number + i)",
  });
  await copyRows(database, [items], size.workItems);
  const letter = "'msg_01A' || printf('%023d', i)";
  // The booking's own confirmation may come meanwhile.
  const sent = { id: "t.id + 100 + i", message_id: letter, provider_message_id: "'growth-' || i" };
  const letters = [
    copy("messages", "t.id = 'msg_010'", { id: letter }),
    copy("message_recipients", "t.message_id = 'msg_010'", sent),
  ];
  await copyRows(database, letters, size.messages);
  const count = BigInt(size.workItems);
  await database.batch(
    [
      {
        sql: "UPDATE projects SET last_number = last_number + ?, open_items = open_items + ?",
        args: [count, count],
      },
      advance("booking", size.bookings),
      "DELETE FROM message_recipients WHERE message_id = 'msg_010'",
      "DELETE FROM messages WHERE id = 'msg_010'",
    ],
    "write",
  );
}
