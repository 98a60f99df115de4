import { sql } from "drizzle-orm";
import * as z from "zod";
import { Router } from "#api/operations/operation.ts";
import { amount, described, from, idText, internal } from "#core/sql/fields.ts";
import { readNewest } from "#core/sql/read-records.ts";
import { record } from "#core/sql/record.ts";
import { UNPOSTED_REASONS } from "#shared/payments/posting-warnings.ts";
import { unposted } from "#tables/ledger";
import { POSTINGS, saidOf } from "../entries/post.ts";

const said = <T>(column: string) => saidOf<T>(sql`${unposted}`, sql.raw(`posting.${column}`));

/** A document without a journal entry. */
export const document = record(
  unposted,
  {
    id: internal(unposted.id),
    source_type: z
      .enum(Object.keys(POSTINGS) as (keyof typeof POSTINGS)[])
      .describe(
        "`advance`: money of a gateway that went into Customer Advances, or was settled by hand. Its number is the gateway's of the payment. `credit_payout`: money of a credit note that was paid back. `gateway_refund`: money that went back through a gateway; its number is the gateway's of the payment. `lesson_receipt`: the receipt of a lesson. `lesson`: what a lesson earned, by its booking.",
      ),
    source_id: idText,
    number: from(
      said<string>("number"),
      z.string().describe("Of the document, or the gateway's of the payment."),
    ),
    date: from(said<string>("entry_date"), z.string().describe("Of the document.")),
    amount: from(said<number>("amount"), described(amount, "What the entry would be of.")),
    currency: from(said<string>("currency"), z.string()),
    reason: z.enum(UNPOSTED_REASONS).meta({ description: "The reason why the journal entry was left out." }),
  },
  "UnpostedDocument",
);

export const unpostedRoutes = new Router("Ledger", "/unposted").list(
  { listUnposted: (ctx, _params, { page }) => readNewest(ctx, page, document) },
  "/",
  {
    summary: "List documents without a journal entry",
    description:
      "Valid invoices, credit notes and payments, advances, receipts of lessons and what lessons earned, whose journal entry was left out. Newest first, with the reason. What waits for an exchange rate, an account or a lock is posted by itself once that has gone, or with `POST /ledger/{company}/post-missing`.",
    record: document,
  },
);
