import { and, eq, type SQL, sql } from "drizzle-orm";
import { isLive } from "#features/customers";
import { postEntry } from "#features/ledger";
import { atomic } from "#platform/atomic.ts";
import { companyToday } from "#platform/calendar.ts";
import type { Ctx } from "#platform/context.ts";
import { takeNumber, takenNumber } from "#platform/numbers.ts";
import { read } from "#platform/operation-memory.ts";
import { addDays, financialYearOf } from "#shared/dates.ts";
import { stateName } from "#shared/places/states.ts";
import { type FieldProblem, fieldProblem, Problem } from "#shared/problem.ts";
import { profile } from "#tables/company";
import { customers } from "#tables/customers";
import { issueLines } from "./issue-lines.ts";
import { customerSnapshot, sellerSnapshot } from "./parties.ts";
import type { InvoiceCreate } from "./schema.ts";
import { type IssuedRow, selectIssued } from "./snapshot.ts";
import {
  type FilledItem,
  fillFromProducts,
  productsOf,
  shortage,
  takeFromStock,
  takenBy,
} from "./stock-lines.ts";
import { placeOfSupply, supplyType } from "./supply.ts";
import { invoiceItems, invoices } from "./tables.ts";
import { computeTotals, type LineTotals } from "./totals.ts";

const SERIES = "invoice";

/** Issues an invoice: numbered, taxed by its place of supply, and posted to the books, in one step. */
export async function createInvoice(ctx: Ctx, _params: unknown, body: InvoiceCreate): Promise<IssuedRow> {
  const [[buyer], [seller], stocked, units] = await read(ctx, [
    ctx.db
      .select()
      .from(customers)
      .where(and(eq(customers.id, body.customer_id), isLive)),
    ctx.db.select().from(profile),
    ...productsOf(ctx, body.items),
  ]);
  if (buyer === undefined) throw customerGone();
  if (seller === undefined) throw new Error("The company has no profile");
  const items = fillFromProducts(body.items, stocked);
  const taken = takenBy(items, stocked, units);

  const invoiceDate = body.invoice_date ?? companyToday(ctx);
  const dueDate = body.due_date ?? addDays(invoiceDate, buyer.paymentTermsDays);
  if (dueDate < invoiceDate) throw fieldProblem("due_date", "too_small", "must not be before invoice_date");
  const place = placeOfSupply(seller, buyer, body.place_of_supply);
  const supply = supplyType(seller, buyer, place);
  const computed = computeTotals(items, supply, body.apply_round_off);
  if (!computed.ok) throw amountsProblem(computed.problems);
  const { lines, totals } = computed;

  const year = financialYearOf(invoiceDate);
  const here = eq(invoices.operation, ctx.operation.id);
  const id = sql<number>`(SELECT ${invoices.id} FROM ${invoices} WHERE ${here})`;
  return atomic(
    ctx,
    [
      takeNumber(SERIES, year.short),
      ctx.db.insert(invoices).values({
        operation: ctx.operation.id,
        invoiceNumber: takenNumber(SERIES, year.short, seller.invoicePrefix),
        status: "draft",
        currency: "INR",
        customerId: buyer.id,
        customer: JSON.stringify(customerSnapshot(buyer)),
        seller: JSON.stringify(sellerSnapshot(seller, invoiceDate)),
        invoiceDate,
        dueDate,
        financialYear: year.name,
        placeOfSupplyCode: place,
        placeOfSupplyName: place === null ? null : stateName(place),
        supplyType: supply,
        ...totals,
        amountDue: totals.totalAmount,
        referenceNumber: body.reference_number ?? null,
        notes: body.notes ?? null,
        terms: body.terms ?? null,
        metadata: JSON.stringify(body.metadata ?? {}),
        publicToken: ctx.newToken(),
        createdAt: ctx.now,
        updatedAt: ctx.now,
      }),
      ctx.db.insert(invoiceItems).values(items.map((item, index) => itemRow(id, index, item, lines[index]))),
      ...takeFromStock(ctx, taken, {
        allowNegative: seller.allowNegativeStock === 1,
        invoiceId: id,
      }),
      ...postEntry(ctx, {
        ordinal: 0,
        voucherType: "invoice",
        sourceType: "invoice",
        sourceId: id,
        date: invoiceDate,
        narration: sql`(SELECT 'Invoice ' || ${invoices.invoiceNumber} FROM ${invoices} WHERE ${here})`,
        lines: issueLines(buyer.id, totals),
      }),
    ],
    selectIssued(ctx, sql`WHERE ${here}`),
    { customer_gone: customerGone, insufficient_stock: () => shortage(ctx, taken) },
  );
}

function itemRow(invoiceId: SQL<number>, index: number, item: FilledItem, line: LineTotals | undefined) {
  if (line === undefined) throw new Error(`Line ${index} has no totals`);
  return {
    invoiceId,
    position: index + 1,
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
