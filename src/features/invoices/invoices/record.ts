import { type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { companyToday } from "#core/calendar.ts";
import type { Ctx, ReadCtx } from "#core/context.ts";
import { externalIdField } from "#core/sql/external-id.ts";
import {
  added,
  amount,
  described,
  exchangeRate,
  from,
  idText,
  instant,
  internal,
  json,
  nullable,
  rendered,
} from "#core/sql/fields.ts";
import { type Given, keptStatement } from "#core/sql/kept-statements.ts";
import { type RowOf, record } from "#core/sql/record.ts";
import { shownCaptures } from "#features/captures";
import { atRate, entryIdOf, reasonUnposted } from "#features/ledger";
import { metadata } from "#shared/fields/metadata.ts";
import { DOCUMENT_TYPES } from "#shared/gst/document-types.ts";
import { stateTaxOf } from "#shared/gst/state-tax.ts";
import { sum } from "#shared/money/shares.ts";
import { BOOKS_CURRENCY } from "#shared/payments/books.ts";
import type { UnpostedReason } from "#shared/payments/posting-warnings.ts";
import { invoices } from "#tables/invoices";
import { exchangeRates, foreignLines } from "#tables/ledger";
import { creditNoteIds, creditNoteNumbers, creditStatus } from "./credited.ts";
import { type ItemRow, item, itemsOf, renderBreakup, type Supply, TaxBreakup } from "./items.ts";
import { type CustomerOnInvoice, InvoiceCustomer, InvoiceSeller, renderSeller } from "./parties.ts";

export const PAYMENT_STATUSES = ["unpaid", "partial", "paid"] as const;

type Zeroable = Supply & { customer: CustomerOnInvoice; igst_total: number };
type Place = Record<"place_of_supply_code" | "place_of_supply_name", string | null>;
type Placed = Supply & Place;
type Debt = { amount_due: number; due_date: string };
type Shown = { status: string; public_token: string };
export type Home = Pick<Ctx, "origin" | "company">;

const inr = record(invoices, {
  ...{ taxable_total: amount, cgst_total: amount, sgst_total: amount, igst_total: amount },
  ...{ round_off: amount, total_amount: amount },
});
type Exchanged = { exchange_rate: number | null; lines: ItemRow[]; round_off: number };

/** An invoice with its lines. */
export const invoice = record(
  invoices,
  {
    id: idText,
    external_id: externalIdField("invoice", invoices.id),
    invoice_number: z.string(),
    status: z.enum(["draft", "sent", "voided"]).describe("`draft`: not yet sent to the customer."),
    payment_status: from(
      sql<(typeof PAYMENT_STATUSES)[number]>`${invoices.paymentStatus}`,
      z.enum(PAYMENT_STATUSES),
    ),
    is_overdue: added(
      z.boolean(),
      (row: Debt, { asOf }: { asOf: string }) => row.amount_due > 0 && row.due_date < asOf,
    ),
    currency: z.string(),
    exchange_rate: from(
      sql<number | null>`(SELECT ${exchangeRates.rate} FROM ${exchangeRates} WHERE ${exchangeRates.id} = (
        SELECT ${foreignLines.exchangeRateId} FROM ${foreignLines} WHERE ${foreignLines.rateOf} = 'invoice:' || ${invoices.id} LIMIT 1))`,
      described(
        nullable(exchangeRate),
        "Units of the books' currency for one of the document's; null where none is needed, or none is known yet.",
      ),
    ),
    inr: added(
      inr.schema
        .nullable()
        .describe(
          "The totals at `exchange_rate`, each amount of each line rounded by itself; in books in rupees.",
        ),
      inRupees,
    ),
    customer_id: idText,
    customer: from(
      sql<CustomerOnInvoice>`json(${invoices.customer})`,
      rendered(
        InvoiceCustomer.meta({
          description: "The buyer when the invoice was issued. For an order, the buyer as sent at checkout.",
        }),
        (customer: CustomerOnInvoice) => ({ ...customer, id: String(customer.id) }),
      ),
    ),
    seller: json(
      rendered(InvoiceSeller.describe("The company as it was when the invoice was issued."), renderSeller),
    ),
    invoice_date: z.string(),
    due_date: z.string(),
    financial_year: z.string(),
    place_of_supply_code: internal<string | null>(),
    place_of_supply_name: internal<string | null>(),
    place_of_supply: added(
      z.object({ code: z.string().describe("Two-digit GST code."), name: z.string() }).nullable(),
      ({ place_of_supply_code: code, place_of_supply_name: name }: Place) =>
        code === null ? null : { code, name: name ?? code },
    ),
    supply_type: z
      .enum(["intra", "inter", "export"])
      .nullable()
      .meta({ description: "Null for a company outside India." }),
    document_type: z.enum(DOCUMENT_TYPES).meta({
      description:
        "What the document is called, fixed when it is issued: by the seller's registration and its lines.",
    }),
    tax_heads: added(
      z.enum(["central_and_state", "integrated", "single"]),
      ({ supply_type: type }: Supply) =>
        type === null
          ? ("single" as const)
          : type === "intra"
            ? ("central_and_state" as const)
            : ("integrated" as const),
    ),
    state_tax_label: added(
      z.enum(["SGST", "UTGST"]).nullable().describe("What the state's share of GST is called."),
      stateTaxLabel,
    ),
    zero_rated: added(
      z
        .enum(["with_payment", "without_payment"])
        .nullable()
        .meta({ description: "For supplies abroad or to a special economic zone: whether IGST is charged." }),
      zeroRated,
    ),
    lines: internal(itemsOf),
    items: added(z.array(item.schema), (row: Supply & { lines: ItemRow[] }) =>
      row.lines.map((line) => item.render(line, row)),
    ),
    tax_breakup: added(
      z.array(TaxBreakup).describe("The tax by rate and HSN or SAC code."),
      (row: { lines: ItemRow[] }) => renderBreakup(row.lines),
    ),
    sub_total: described(amount, "All lines before discounts and tax."),
    discount_total: amount,
    taxable_total: amount,
    cgst_total: amount,
    sgst_total: described(amount, "Or UTGST, in a union territory."),
    igst_total: amount,
    tax_total: amount,
    round_off: described(amount, "What rounding to a whole unit added."),
    total_amount: described(amount, "What is to be paid, with tax."),
    amount_paid: described(amount, "Money received, without tax deducted at source."),
    tds_amount: described(amount, "Tax that the payer deducted at source."),
    amount_credited: described(amount, "What credit notes took off the amount due."),
    credit_status: creditStatus,
    credit_note_ids: creditNoteIds,
    credit_note_numbers: internal(creditNoteNumbers),
    refunded_without_credit_note: described(
      amount,
      "What a refund made at the gateway or a chargeback took of `amount_paid`. The customer owes it in the books until you issue a credit note for it; where none can be issued any more, for good.",
    ),
    amount_due: amount,
    captures: shownCaptures,
    journal_entry_id: from(
      entryIdOf("invoice", invoices.id, "invoice"),
      described(nullable(idText), "The entry that posts it; null while there is none."),
    ),
    public_token: internal(invoices.publicToken),
    hosted_url: added(
      z.string().nullable().describe("The page to show or send to the customer. Null once voided."),
      ({ status, public_token: token }: Shown, { origin, company }: Home) =>
        status === "voided" ? null : `${origin}/i/${company.slug}/${token}`,
    ),
    source: z.enum(["api", "storefront", "booking"]),
    sales_order_id: z.int().nullable().describe("The order that it came from."),
    reference_number: z.string().nullable().describe("A reference of your own."),
    notes: z.string().nullable().describe("Printed on it."),
    terms: z.string().nullable().describe("Terms of payment, printed on it."),
    metadata: json(metadata),
    sent_at: described(nullable(instant), "When it was last sent."),
    voided_at: nullable(instant),
    created_at: instant,
    updated_at: instant,
  },
  "Invoice",
);
export type Invoice = z.infer<typeof invoice.schema>;
/** An invoice as the database holds it, and the day on which it was looked at. */
export type InvoiceRow = { id: number; as_of: string; invoice: RowOf<typeof invoice> };
/** An invoice that was just issued, with why it has no journal entry. */
export type IssuedRow = InvoiceRow & { unposted?: UnpostedReason | null };

/** The SELECT of invoices, for reads and for the answer of a write; `tail` from WHERE on. */
export function selectInvoices(ctx: ReadCtx, tail: SQL): SQL<InvoiceRow> {
  return selectInvoicesAsOf({ today: companyToday(ctx), tail });
}

/** The same as of a day. */
export const selectInvoicesAsOf = keptStatement(
  ({ today, tail }: Given<{ today: string | SQL<string>; tail: SQL }>) => sql<InvoiceRow>`
    SELECT json_object('id', ${invoices.id}, 'as_of', ${today}, 'invoice', ${invoice.columns()}) AS snapshot
    FROM ${invoices} ${tail}`,
);

/** The SELECT that issuing an invoice ends with. */
export function selectIssued(ctx: ReadCtx, tail: SQL): SQL<IssuedRow> {
  return sql`SELECT json_object('id', ${invoices.id}, 'as_of', ${companyToday(ctx)}, 'invoice', ${invoice.columns()},
    'unposted', ${reasonUnposted("invoice", sql`${invoices.id}`)}) AS snapshot FROM ${invoices} ${tail}`;
}

export function renderInvoice(row: InvoiceRow, { origin, company }: Home) {
  return invoice.render(row.invoice, { asOf: row.as_of, origin, company });
}

/** What the members `sgst_*` are called at the place of supply. */
function stateTaxLabel({ supply_type: type, place_of_supply_code: place }: Placed) {
  return type === "intra" ? stateTaxOf(place) : null;
}

/** Supplies abroad and to special economic zones are zero-rated: with IGST that is refunded later, or without tax. */
function zeroRated({ supply_type: supply, customer, igst_total: tax }: Zeroable) {
  if (supply !== "export" && (supply !== "inter" || customer.gst_category !== "sez")) return null;
  return tax > 0 ? ("with_payment" as const) : ("without_payment" as const);
}

/** What the books have of an invoice in another currency, where they are in rupees. */
function inRupees({ exchange_rate: rate, lines, round_off: rounded }: Exchanged, { company }: Home) {
  if (rate === null || company.currency !== BOOKS_CURRENCY) return null;
  const sumOf = (head: "taxable_value" | "cgst_amount" | "sgst_amount" | "igst_amount") =>
    sum(lines.map((line) => atRate(line[head], rate)));
  const totals = {
    taxable_total: sumOf("taxable_value"),
    cgst_total: sumOf("cgst_amount"),
    sgst_total: sumOf("sgst_amount"),
    igst_total: sumOf("igst_amount"),
    round_off: atRate(rounded, rate),
  };
  return inr.render({ ...totals, total_amount: sum(Object.values(totals)) });
}
