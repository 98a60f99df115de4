import { Router } from "#contract/operation.ts";
import { checkBooks } from "./check-books.ts";
import { BooksCheck } from "./schema.ts";

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
