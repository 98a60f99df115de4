import { type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { resource } from "#api/operations/resource.ts";
import { companyDate } from "#core/calendar.ts";
import type { Ctx } from "#core/context.ts";
import { externalIdField, withExternalId } from "#core/sql/external-id.ts";
import {
  added,
  amount,
  described,
  flag,
  from,
  idText,
  instant,
  internal,
  json,
  nullable,
  percentage,
  thousandths,
} from "#core/sql/fields.ts";
import { once } from "#core/sql/json.ts";
import { type RowOf, record } from "#core/sql/record.ts";
import { invoice, renderBreakup, TaxBreakup } from "#features/invoices";
import { entryIdOf, reasonUnposted } from "#features/ledger";
import { metadata } from "#shared/fields/metadata.ts";
import { moneyOnWire, moneyToWire } from "#shared/fields/numbers.ts";
import { CREDIT_REASONS } from "#shared/payments/credit-reasons.ts";
import { UNPOSTED_REASONS, type UnpostedReason } from "#shared/payments/posting-warnings.ts";
import { creditNoteItems, creditNotes } from "#tables/credit-notes";
import { invoiceItems, invoices } from "#tables/invoices";
import { isTimeBarred } from "./time-bar.ts";

type Taxed = Record<"taxable_value" | "cgst_amount" | "sgst_amount" | "igst_amount", number>;
type Shown = { status: string; public_token: string };
type Home = Pick<Ctx, "origin" | "company">;

const item = record(
  creditNoteItems,
  {
    invoice_item_id: idText,
    item_name: from(invoiceItems.itemName, z.string()),
    hsn_sac_code: from(invoiceItems.hsnSacCode, z.string().nullable()),
    unit: from(invoiceItems.unit, z.string()),
    quantity: described(nullable(thousandths), "Null where a part of the price was credited."),
    taxable_value: amount,
    tax_rate: from(invoiceItems.taxRate, percentage),
    cgst_amount: amount,
    sgst_amount: described(amount, "Or UTGST, in a union territory."),
    igst_amount: amount,
    tax_amount: added(moneyOnWire, (line: Taxed) => moneyToWire(taxOf(line))),
    total: added(moneyOnWire.describe("With tax."), (line: Taxed) =>
      moneyToWire(line.taxable_value + taxOf(line)),
    ),
  },
  "CreditNoteItem",
);
type ItemRow = RowOf<typeof item>;

const lines = sql<ItemRow[]>`(SELECT json_group_array(json(line)) FROM (
  SELECT ${item.columns()} AS line FROM ${creditNoteItems}
  JOIN ${invoiceItems} ON ${invoiceItems.id} = ${creditNoteItems.invoiceItemId}
  WHERE ${creditNoteItems.creditNoteId} = ${creditNotes.id} ORDER BY ${creditNoteItems.position}
))`;
const status = sql<"issued" | "voided">`${creditNotes.status}`;

const ofInvoice = invoice.pick(
  "customer",
  "seller",
  "place_of_supply_code",
  "place_of_supply_name",
  "place_of_supply",
  "supply_type",
  "document_type",
  "tax_heads",
  "state_tax_label",
  "currency",
  "exchange_rate",
);
type OfInvoice = RowOf<typeof ofInvoice>;
const of = ofInvoice.schema.shape;
/** A member as its invoice has it. */
function asInvoiced<Name extends keyof typeof of>(name: Name) {
  return added(of[name], (row: { invoice: OfInvoice }) => ofInvoice.render(row.invoice)[name] as never);
}

/** A credit note with its lines; its parties are those of its invoice. */
export const creditNote = record(
  creditNotes,
  {
    id: idText,
    external_id: externalIdField("credit_note", creditNotes.id),
    credit_note_number: z.string().describe("In the series of credit notes or of commercial notes."),
    status: from(status, z.enum(["issued", "voided"])),
    invoice_id: idText,
    invoice_number: from(invoices.invoiceNumber, z.string()),
    invoice_date: from(invoices.invoiceDate, z.string()),
    customer_id: idText,
    invoice: internal(ofInvoice.columns()),
    invoice_taxable: internal(invoices.taxableTotal),
    customer: asInvoiced("customer"),
    seller: asInvoiced("seller"),
    note_date: z.string(),
    financial_year: z.string(),
    reason: z.enum(CREDIT_REASONS),
    reason_text: z.string().nullable().describe("In your words."),
    with_tax: described(
      flag,
      "False: a commercial note, which gives back value only and is no note under section 34 of the CGST Act.",
    ),
    place_of_supply: asInvoiced("place_of_supply"),
    supply_type: asInvoiced("supply_type"),
    tax_heads: asInvoiced("tax_heads"),
    state_tax_label: asInvoiced("state_tax_label"),
    currency: asInvoiced("currency"),
    exchange_rate: asInvoiced("exchange_rate"),
    lines: internal(lines),
    items: added(z.array(item.schema), (row: { lines: ItemRow[] }) =>
      row.lines.map((line) => item.render(line)),
    ),
    tax_breakup: added(
      z.array(TaxBreakup).describe("`quantity` counts the lines that were credited by quantity."),
      (row: { lines: ItemRow[] }) => renderBreakup(row.lines),
    ),
    taxable_total: amount,
    cgst_total: amount,
    sgst_total: described(amount, "Or UTGST, in a union territory."),
    igst_total: amount,
    tax_total: amount,
    round_off: described(
      amount,
      "Its share of the invoice's `round_off`; of a note over an amount, what the rounded tax leaves of that; of a commercial note 0, unless it ends the value of the invoice.",
    ),
    total_amount: described(amount, "What is credited, with tax."),
    applied_amount: described(amount, "What it took off the amount due of invoices."),
    paid_out_amount: described(amount, "What was given back by hand."),
    refunded_amount: from(
      sql<number>`${creditNotes.paidOutAmount} + ${creditNotes.gatewayRefundedAmount}`,
      described(amount, "What was given back by hand, and what refunds gave back or will."),
    ),
    unapplied_amount: from(
      sql<number>`${creditNotes.unappliedAmount}`,
      described(amount, "What of it is not used yet. It belongs to the customer."),
    ),
    journal_entry_id: from(
      entryIdOf("credit_note", creditNotes.id, "credit_note"),
      described(nullable(idText), "The entry that posts it; null while there is none."),
    ),
    public_token: internal<string>(),
    hosted_url: added(
      z.string().nullable().describe("The page to show or send to the customer. Null once voided."),
      (row: Shown, { origin, company }: Home) =>
        row.status === "voided" ? null : `${origin}/c/${company.slug}/${row.public_token}`,
    ),
    metadata: json(metadata),
    voided_at: nullable(instant),
    created_at: instant,
    updated_at: instant,
  },
  "CreditNote",
);
export type CreditNoteRow = RowOf<typeof creditNote>;
export type CreditNote = z.infer<typeof creditNote.schema>;

export const IssuedCreditNote = creditNote.schema
  .extend({
    warnings: z
      .array(z.enum([...UNPOSTED_REASONS, "tax_time_barred", "buyer_must_reverse_credit"]))
      .optional()
      .describe(
        "Why no journal entry was posted. `tax_time_barred`: on the day the note was made, whatever its `note_date`, the tax may no longer be taken back (section 34(2) of the CGST Act). `buyer_must_reverse_credit`: the tax falls only if the registered buyer reverses its input tax credit.",
      ),
  })
  .meta({ id: "IssuedCreditNote" });
/** A note that was just issued, with why it has no journal entry. */
export type IssuedRow = CreditNoteRow & { unposted: UnpostedReason | null; invoice_tax: number };

const source = once(() => sql`${creditNotes} JOIN ${invoices} ON ${invoices.id} = ${creditNotes.invoiceId}`);

/** The SELECT of notes; `tail` goes on after WHERE. */
export function selectCreditNotes(tail: SQL): SQL<CreditNoteRow> {
  return sql`SELECT ${creditNote.columns()} AS snapshot FROM ${source()} WHERE ${tail}`;
}

/** The SELECT that issuing a note ends with. */
export function selectIssued(where: SQL): SQL<IssuedRow> {
  return sql`SELECT json_set(${creditNote.columns()}, '$.unposted',
    ${reasonUnposted("credit_note", sql`${creditNotes.id}`)}, '$.invoice_tax', ${invoices.taxTotal}) AS snapshot FROM ${source()} WHERE ${where}`;
}

export function renderIssued(
  { unposted, invoice_tax: tax, ...row }: IssuedRow,
  ctx: Home,
): z.input<typeof IssuedCreditNote> {
  const { invoice: billed, invoice_date: invoiced } = row;
  const { country, timezone } = ctx.company;
  const made = companyDate(row.created_at, timezone);
  const isLate = tax > 0 && isTimeBarred(country, invoiced, made);
  const isBusiness = row.tax_total > 0 && billed.seller.gstin !== null && billed.customer.gstin !== null;
  const warnings = [
    ...(unposted === null ? [] : [unposted]),
    ...(isLate ? (["tax_time_barred"] as const) : []),
    ...(isBusiness ? (["buyer_must_reverse_credit"] as const) : []),
  ];
  return { ...creditNote.render(row, ctx), ...(warnings.length === 0 ? {} : { warnings }) };
}

/** The data of events of credit notes. */
export const creditNoteResource = resource({
  name: "credit_note",
  scope: "invoices:read",
  record: creditNote,
  select: (_moment, id) => selectCreditNotes(sql`${creditNotes.id} = ${id}`),
  alsoRenderedBy: [renderIssued],
  upgrades: [
    withExternalId,
    (row: { invoice: OfInvoice }) => ({ ...row, invoice: { ...row.invoice, exchange_rate: null } }),
  ],
});

function taxOf(line: Taxed): number {
  return line.cgst_amount + line.sgst_amount + line.igst_amount;
}
