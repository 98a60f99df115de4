import { line, newCustomer, newInvoice, REGISTERED } from "../../features/commerce.ts";
import { newPayment, newProduct, voidInvoice } from "../../features/money.ts";
import { must, openCompany, platformRead, type TestCompany } from "../../support/company.ts";
import type { ServiceAddress } from "../../support/http.ts";

export type Checked = {
  sound: boolean;
  broken: { invariant: string; rows: number; ids: string[] }[];
  skipped: string[];
};
/** The sentence of a schema that was changed by hand. */
export const SCHEMA = "the schema is what the migrations make";

/** What makes the stock of products what their movements come to. */
export const stockIsTheSum =
  "UPDATE products SET current_stock = (SELECT sum(quantity) FROM stock_movements WHERE product_id = products.id)";

/** The self-check's answer. */
export function check({ slug }: { slug: string }, service?: ServiceAddress): Promise<Checked> {
  return platformRead<Checked>(`/platform/self-check/${slug}`, service);
}

/** The sentences that it found broken. */
export const sentences = ({ broken }: Checked) => broken.map(({ invariant }) => invariant);

/** Invoices 1 to 4, of which 2 is voided and 4 has neither payment nor product; payments of 1 and 3; product 1. */
export async function filledCompany(): Promise<TestCompany> {
  const company = await openCompany(REGISTERED);
  // No mode of payment has changed since the company was opened.
  await company.rows("UPDATE payment_modes SET created_at = 0, updated_at = 0");
  const customer = await newCustomer(company);
  await newCustomer(company, { name: "Anil & Sons" });
  const product = await newProduct(company, { track_stock: true, opening_stock: 50 });
  const sold = { ...line, product_id: product.id };
  for (const items of [[line], [sold], [line, sold]]) await newInvoice(company, customer.id, { items });
  for (const invoice_id of ["1", "3"])
    await newPayment(company, { invoice_id, amount: 100, tds_amount: 10, tds_section: "194C" });
  must(await voidInvoice(company, "2"), 200);
  await newInvoice(company, customer.id, { items: [{ ...line, tax_rate: 0.25 }] });
  return company;
}

/** Runs statements that the triggers would refuse, and puts the triggers back. */
export async function tamper(company: TestCompany, statements: readonly string[]): Promise<void> {
  const triggers = await company.rows("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'");
  await company
    .database()
    .batch(
      [
        ...triggers.map(({ name }) => `DROP TRIGGER ${name}`),
        ...statements,
        ...triggers.map(({ sql }) => String(sql)),
      ],
      "write",
    );
}

/** Statements that write the rows of these tables as they are now. */
export async function rowsAsWritten(company: TestCompany, tables: string[]): Promise<string[]> {
  const statements = await Promise.all(
    tables.map(async (table) => {
      const named = await company.rows(`SELECT name FROM pragma_table_info('${table}')`);
      const columns = named.map(({ name }) => String(name));
      const values = columns.map((name) => `quote(${name})`).join(" || ', ' || ");
      const rows = await company.rows(`SELECT ${values} AS row FROM ${table}`);
      return rows.map(({ row }) => `INSERT OR REPLACE INTO ${table} (${columns}) VALUES (${row})`);
    }),
  );
  return statements.flat();
}
