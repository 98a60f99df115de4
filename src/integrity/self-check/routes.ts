import { Router } from "#api/operations/operation.ts";
import { CompanyParams } from "#tenancy/companies/schema.ts";
import type { ControlCtx } from "#tenancy/context.ts";
import { checkBooks } from "./check-books.ts";
import { selfCheck } from "./check-company.ts";
import { BooksCheck, SelfCheck } from "./schema.ts";

/** A company's check of its own books. */
export const booksCheckRoutes = new Router("Ledger").add(
  {
    id: "checkBooks",
    method: "get",
    path: "/ledger/:company/self-check",
    summary: "Check the books",
    description:
      "Holds invoices, payments, orders and journal entries against each other, and names each sentence that does not hold.",
    scope: "ledger:read",
    result: BooksCheck,
    example: { result: { sound: true, broken: [], open: [] } },
    render: (row) => ({ ...row, sound: row.broken.length === 0 }),
  },
  checkBooks,
);

/** The operator's check of one company. */
export const companyCheckRoutes = new Router<ControlCtx>("Platform", "control").add(
  {
    id: "selfCheck",
    method: "get",
    path: "/platform/self-check/:slug",
    summary: "Check a company's records",
    description:
      "Runs every invariant of books, documents, stock, bookings and projects over one company, compares its schema with what the migrations make, and looks over what is stored; names each that fails.",
    scope: "platform",
    params: CompanyParams,
    result: SelfCheck,
    problems: ["company_not_found"],
    example: { result: { slug: "meera", sound: true, broken: [], open: [], skipped: [] } },
    render: (row) => ({ ...row, sound: row.broken.length === 0 }),
  },
  selfCheck,
);
