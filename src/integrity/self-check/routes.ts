import * as z from "zod";
import { Router } from "#api/operations/operation.ts";
import { CompanyParams } from "#tenancy/companies/schema.ts";
import { ControlRouter } from "#tenancy/control-router.ts";
import { checkBooks } from "./check-books.ts";
import { runSelfCheck, selfCheck } from "./check-company.ts";

const Broken = z.object({
  invariant: z.string().meta({ description: "The sentence that does not hold." }),
  rows: z.int().meta({ description: "How many records break it." }),
  ids: z.array(z.string()).meta({ description: "Up to 20 of them." }),
});
const BooksCheck = z
  .object({
    sound: z.boolean().describe("Whether every check passed."),
    broken: z.array(Broken).meta({ description: "Empty for a sound company." }),
    open: z.array(Broken).meta({
      description:
        "What is no fault, but waits for the staff: documents without a journal entry, and refunds that gateways made by themselves.",
    }),
  })
  .meta({ id: "BooksCheck" });
const SelfCheck = BooksCheck.extend({
  slug: z.string(),
  skipped: z.array(z.string()).meta({
    description:
      "What was not looked at: `storage`, in a database above 2 GB; `moves`, where they are many, or not all made of the records of an earlier release; `audit log before row N`, where it is long.",
  }),
}).meta({ id: "SelfCheck" });

/** A company's check of its own books. */
export const booksCheckRoutes = new Router("Ledger", "/self-check").get({ checkBooks }, "/", {
  summary: "Check the books",
  description:
    "Holds papers, payments, orders, packages, stock and journal entries against each other and against what was kept of them as they were made, and names each sentence that does not hold.",
  record: { schema: BooksCheck, render: (row) => ({ ...row, sound: row.broken.length === 0 }) },
});

/** The operator's check of one company. */
export const companyCheckRoutes = new ControlRouter("Platform", "/self-check", {
  params: CompanyParams,
  problems: ["company_not_found"],
})
  .get({ selfCheck }, "/:slug", {
    summary: "Check a company's records",
    description:
      "Runs every invariant of books, documents, stock, bookings and projects over one company, compares its schema with what the migrations make, and looks over what is stored; names each that fails.",
    record: { schema: SelfCheck, render: (row) => ({ ...row, sound: row.broken.length === 0 }) },
  })
  .post({ runSelfCheck }, "/:slug", {
    summary: "Check a company's records, and record the outcome",
    description:
      "The same check. `GET /platform/companies/{slug}/status` shows when it was made and how many rules were broken.",
    idempotent: false,
    record: { schema: SelfCheck, render: (row) => ({ ...row, sound: row.broken.length === 0 }) },
  });
