import type { TestCompany } from "../../../support/company.ts";

export { visit } from "../../bookings/page/visitor.ts";

/** Where an invoice's page is, from the root of the host. */
export async function pagePath(company: TestCompany, invoiceId: string): Promise<string> {
  const [row] = await company.rows("SELECT public_token FROM invoices WHERE id = ?", invoiceId);
  return `/i/${company.slug}/${row?.public_token}`;
}

/** Takes so many paise as paid on an invoice. */
export async function settle(
  company: TestCompany,
  invoiceId: string,
  paid: number,
  withheld = 0,
): Promise<void> {
  await company.rows(
    `UPDATE invoices SET amount_paid = ?1, tds_amount = ?2, amount_due = total_amount - ?1 - ?2 WHERE id = ?3`,
    paid,
    withheld,
    invoiceId,
  );
}
