import { and, eq, sql } from "drizzle-orm";
import * as z from "zod";
import { companyToday } from "#core/calendar.ts";
import type { Changes, Ctx } from "#core/context.ts";
import { type Given, keptQuery } from "#core/sql/kept-statements.ts";
import { atomic } from "#core/write/atomic.ts";
import { documentIds } from "#core/write/create-or-change.ts";
import { ofOwnRecord } from "#core/write/events.ts";
import { read } from "#core/write/replay.ts";
import { isLive } from "#features/customers";
import { closedDate, writeWithEntry } from "#features/ledger";
import { externalIdMember } from "#shared/fields/external-id.ts";
import { idReference } from "#shared/fields/ids.ts";
import { metadata } from "#shared/fields/metadata.ts";
import { cleanMultilineText, cleanText } from "#shared/fields/text.ts";
import { notRegistered } from "#shared/gst/registration.ts";
import { findIndianState, stateName } from "#shared/places/states.ts";
import { type FieldProblem, fieldProblem, Problem } from "#shared/problem.ts";
import { addDays, isoDate } from "#shared/time/dates.ts";
import { customers } from "#tables/customers";
import { invoices } from "#tables/invoices";
import { computeTotals, type LineTotals } from "../tax/gst.ts";
import { supplyOf } from "../tax/place-of-supply.ts";
import { mayChargeTax } from "../tax/registered.ts";
import { insertInvoice, issuedBy, type NewInvoice, type NewItem } from "./insert.ts";
import {
  type FilledItem,
  fillFromProducts,
  InvoiceItemCreate,
  productsOf,
  refuseTax,
  shortage,
  takenBy,
} from "./lines.ts";
import { customerOnInvoice, selectSeller } from "./parties.ts";
import { type IssuedRow, selectIssued } from "./record.ts";

const MOST_ITEMS = 200;
const NOT_INR = "currency_not_supported";
const WITHOUT_STOCK: Changes["names"] = ["invoice"];

export const InvoiceCreate = z.object({
  customer_id: idReference,
  items: z.array(InvoiceItemCreate).min(1).max(MOST_ITEMS),
  invoice_date: isoDate.optional().meta({
    description:
      "Default: today in the company's time zone. From 2000-04-01, and at most a year ahead, because invoice numbers name the financial year by two digits.",
  }),
  due_date: isoDate.optional().describe("Default: the invoice date plus the customer's payment terms."),
  place_of_supply: z
    .string()
    .overwrite((text) => findIndianState(text)?.code ?? text)
    .refine((code) => stateName(code) !== undefined, {
      params: { code: "invalid_state" },
      error: "must be a state of India: its name, its two letters, or its two-digit GST code",
    })
    .optional()
    .describe(
      "A state's name, its two letters, or its two-digit GST code. Default: of goods where they are delivered, of services the customer's state.",
    ),
  currency: z
    .string()
    .refine((code) => code === "INR", { params: { code: NOT_INR }, error: "must be INR" })
    .optional(),
  reference_number: cleanText({ max: 100 }).nullable().optional().describe("A reference of your own."),
  notes: cleanMultilineText({ max: 2_000 }).nullable().optional().describe("Printed on it."),
  terms: cleanMultilineText({ max: 5_000 }).nullable().optional().describe("Printed on it."),
  apply_round_off: z.boolean().default(true).meta({ description: "Rounds the total to whole rupees." }),
  metadata: metadata.optional(),
  external_id: externalIdMember,
});

export type InvoiceCreate = z.infer<typeof InvoiceCreate>;

/** As `invoice_date_has_a_series` has it. */
const FIRST_DATE = "2000-04-01";

const selectBuyer = keptQuery((db, { id }: Given<{ id: number }>) =>
  db
    .select()
    .from(customers)
    .where(and(eq(customers.id, id), isLive)),
);

/** What callers give ids of their own to. The same create again answers with the invoice that stands. */
export const invoiceIds = documentIds("invoice", invoices, (ctx, which) =>
  selectIssued(ctx, sql`WHERE ${which}`),
);

/** Issues an invoice: numbered, taxed by its place of supply, and posted to the books, in one step. */
export async function createInvoice(ctx: Ctx, _params: unknown, body: InvoiceCreate): Promise<IssuedRow> {
  const { country } = ctx.company;
  if (country !== "IN")
    throw fieldProblem("currency", NOT_INR, "must be INR, in which only companies in India invoice", NOT_INR);
  const [[buyer], [seller], stocked, units] = await read(ctx, [
    selectBuyer({ id: body.customer_id }),
    selectSeller({}),
    ...productsOf(body.items),
  ]);
  if (buyer === undefined) throw customerGone();
  if (seller === undefined) throw new Error("The company has no profile");
  const items = fillFromProducts(body.items, stocked);
  if (!mayChargeTax(seller)) refuseTax(items);
  const taken = takenBy(items, stocked, units);

  const invoiceDate = dateOfInvoice(ctx, body);
  const dueDate = body.due_date ?? addDays(invoiceDate, buyer.paymentTermsDays);
  if (dueDate < invoiceDate) throw fieldProblem("due_date", "too_small", "must not be before invoice_date");
  const customer = customerOnInvoice(buyer);
  const isService = items.every((item) => item.is_service);
  const supply = supplyOf(seller, customer, { country, isService, override: body.place_of_supply });
  const computed = computeTotals(items, supply.type, body.apply_round_off);
  if (!computed.ok) throw amountsProblem(computed.problems);
  const { lines, totals } = computed;

  const invoice: NewInvoice = {
    seller,
    customerId: buyer.id,
    customer: JSON.stringify(customer),
    buyerGstin: buyer.gstin,
    currency: "INR",
    invoiceDate,
    dueDate,
    supply,
    items: items.map((item, index) => newItem(index, item, lines[index])),
    totals,
    sold: { lines: taken, type: "sale", allowNegative: seller.allowNegativeStock === 1 },
    referenceNumber: body.reference_number ?? null,
    more: {
      notes: body.notes ?? null,
      terms: body.terms ?? null,
      metadata: JSON.stringify(body.metadata ?? {}),
    },
  };
  const own = taken.length === 0 ? ofOwnRecord(ctx, WITHOUT_STOCK) : ofOwnRecord(ctx);
  return writeWithEntry((post, unposted) =>
    atomic(
      own,
      insertInvoice(ctx, invoice, post).statements,
      selectIssued(ctx, sql`WHERE ${issuedBy(ctx)}`),
      {
        customer_gone: customerGone,
        gst_not_registered: () => notRegistered("items"),
        insufficient_stock: () => shortage(ctx, taken),
        ...closedDate("invoice_date"),
        ...unposted,
      },
    ),
  );
}

/** The date that is sent, else today. Throws 422 for one whose series could be that of another century. */
function dateOfInvoice(ctx: Ctx, { invoice_date: sent }: InvoiceCreate): string {
  const today = companyToday(ctx);
  const date = sent ?? today;
  if (date < FIRST_DATE) throw fieldProblem("invoice_date", "too_small", `must not be before ${FIRST_DATE}`);
  // Dates compare as strings, so that of a leap day needs no rounding.
  const last = `${Number(today.slice(0, 4)) + 1}${today.slice(4)}`;
  if (date > last) throw fieldProblem("invoice_date", "too_big", "must be at most a year ahead");
  return date;
}

function newItem(index: number, item: FilledItem, line: LineTotals | undefined): NewItem {
  if (line === undefined) throw new Error(`Line ${index} has no totals`);
  return {
    productId: item.product_id ?? null,
    itemName: item.item_name,
    description: item.description ?? null,
    hsnSacCode: item.hsn_sac_code ?? null,
    quantity: item.quantity,
    unit: item.unit,
    unitPrice: item.unit_price,
    discountAmount: line.discountMinor,
    taxableValue: line.taxableMinor,
    taxRate: item.tax_rate,
    gstTreatment: item.gst_treatment,
    cgstAmount: line.cgstMinor,
    sgstAmount: line.sgstMinor,
    igstAmount: line.igstMinor,
  };
}

function amountsProblem(errors: FieldProblem[]): Problem {
  const [first] = errors;
  return new Problem("validation_failed", { message: `${first?.field} ${first?.message}`, errors });
}

function customerGone(): Problem {
  return fieldProblem("customer_id", "not_found", "names no customer");
}
