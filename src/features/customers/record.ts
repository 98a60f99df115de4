import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import * as z from "zod";
import { externalIdField } from "#core/sql/external-id.ts";
import { added, described, flag, from, idText, instant, json, nullable, rendered } from "#core/sql/fields.ts";
import { type RowOf, record } from "#core/sql/record.ts";
import { shownCaptures } from "#features/captures";
import { metadata } from "#shared/fields/metadata.ts";
import { moneyOnWire, moneyToWire } from "#shared/fields/numbers.ts";
import { GST_CATEGORIES } from "#shared/gst/gst-categories.ts";
import { BOOKS_CURRENCY } from "#shared/payments/books.ts";
import { isPincodeElsewhere } from "#shared/places/pincodes.ts";
import { LANGUAGES } from "#shared/text/language.ts";
import { creditNotes } from "#tables/credit-notes";
import { customers } from "#tables/customers";
import { invoices } from "#tables/invoices";
import { accounts } from "#tables/ledger";
import { gatewayRefunds } from "#tables/refunds";
import { ShippingAddress } from "./schema.ts";

type Balance = { currency: string; outstanding_amount: number; credit_balance: number; on_its_way: number };

const credited = alias(invoices, "credited");
const live = sql`${invoices.customerId} = ${customers.id} AND ${invoices.status} <> 'voided'`;
// What a refund debits the account of its customer by.
const ofCustomer = sql`${gatewayRefunds.amount} - ${gatewayRefunds.advanceAmount} - ${gatewayRefunds.coveredAmount}`;
// What is due on live invoices, and what gateways gave back without a credit note.
const owed = sql`SELECT ${invoices.currency} AS currency, ${invoices.amountDue} AS due FROM ${invoices} WHERE ${live}
  UNION ALL SELECT ${gatewayRefunds.currency}, ${ofCustomer}
  FROM ${gatewayRefunds} WHERE ${gatewayRefunds.customerId} = ${customers.id} AND ${gatewayRefunds.source} <> 'api'
    AND ${gatewayRefunds.status} = 'succeeded' AND ${gatewayRefunds.creditNoteId} IS NULL
    AND ${gatewayRefunds.amount} > ${gatewayRefunds.advanceAmount} + ${gatewayRefunds.coveredAmount}`;
// Credit that is on its way back is used of its note, but stays in the ledger until it has arrived.
const balances = sql<Balance[]>`(
  SELECT json_group_array(json_object('currency', currency, 'outstanding_amount', due, 'credit_balance', (
    SELECT coalesce(sum(${creditNotes.unappliedAmount}), 0) FROM ${creditNotes}
    JOIN ${invoices} AS ${credited} ON ${credited.id} = ${creditNotes.invoiceId}
    WHERE ${creditNotes.customerId} = ${customers.id} AND ${creditNotes.unappliedAmount} > 0
      AND ${credited.currency} = owed.currency
  ), 'on_its_way', (
    SELECT coalesce(sum(${ofCustomer}), 0) FROM ${gatewayRefunds} WHERE ${gatewayRefunds.customerId} = ${customers.id}
      AND ${gatewayRefunds.creditNoteId} IS NOT NULL AND ${gatewayRefunds.status} IN ('created', 'pending')
      AND ${gatewayRefunds.currency} = owed.currency
  ))) FROM (
    SELECT currency, sum(due) AS due FROM (${owed}) GROUP BY currency
  ) AS owed
)`;

/** A customer, with its debtor account beside it. What is due, in minor units, is in single reads only. */
export const customer = record(
  customers,
  {
    id: idText,
    external_id: externalIdField("customer", customers.id),
    name: z.string(),
    display_name: z.string().nullable(),
    email: z.string().nullable(),
    phone: z.string().nullable(),
    company_name: z.string().nullable(),
    gstin: z.string().nullable(),
    gst_category: z.enum(GST_CATEGORIES),
    pan: z.string().nullable().describe("Permanent account number of India's income tax."),
    address: z.string().nullable(),
    city: z.string().nullable(),
    state: z.string(),
    state_code: z.string().nullable().describe("Two-digit GST code; null if the state is not Indian."),
    pincode: z.string(),
    country: z.string().describe("ISO 3166-1 alpha-2."),
    shipping_address: json(ShippingAddress.nullable().describe("Null for the customer's own address.")),
    currency: z.string(),
    payment_terms_days: z.int().describe("Days from invoice date to due date."),
    notes: z.string().nullable().describe("For staff."),
    language: z.enum(LANGUAGES).nullable().describe("Of their messages."),
    is_vendor: flag,
    ledger_account_id: from(
      accounts.id,
      described(nullable(idText), "The customer's account in the ledger."),
    ),
    ledger_account_name: from(accounts.name, z.string().nullable()),
    outstanding_amount: added(
      moneyOnWire.optional().meta({
        description:
          "The amount due in rupees on live invoices, and what gateways gave back without a credit note. Not in lists.",
      }),
      rupeesOutstanding,
    ),
    balances: from(
      balances,
      rendered(
        z
          .array(
            z.object({
              currency: z.string(),
              outstanding_amount: moneyOnWire,
              credit_balance: z.number().describe("Credit of its credit notes that is not used yet."),
              net_balance: moneyOnWire.describe(
                "As in the ledger: what is due, less the unused credit, less credit that is on its way back through a gateway.",
              ),
            }),
          )
          .optional()
          .describe(
            "What is outstanding in each currency of its invoices and refunds, rupees first. Not in lists.",
          ),
        (due: Balance[] | undefined) => due?.sort(rupeesFirst).map(renderBalance),
      ),
    ),
    captures: shownCaptures,
    status: added(z.literal("active"), () => "active" as const),
    metadata: json(metadata),
    created_at: instant,
    updated_at: instant,
  },
  "Customer",
);
export type CustomerRow = RowOf<typeof customer>;
/** The columns of a customer in a list. */
export const listedCustomer = customer.omit("outstanding_amount", "balances");

/** The answer of a write, which also says what is likely to be a mistake. */
export const WrittenCustomer = customer.schema
  .extend({
    warnings: z
      .array(z.enum(["pincode_outside_state"]))
      .optional()
      .meta({ description: "Present if the stored data is probably a mistake." }),
  })
  .meta({ id: "WrittenCustomer" });

export function renderWritten(row: CustomerRow) {
  const isElsewhere = row.state_code !== null && isPincodeElsewhere(row.pincode, row.state_code);
  return {
    ...customer.render(row),
    ...(isElsewhere ? { warnings: ["pincode_outside_state" as const] } : {}),
  };
}

/** The books are in rupees; `balances` has what is due in other currencies. */
function rupeesOutstanding({ balances: all }: { balances: Balance[] | undefined }) {
  return all && moneyToWire(all.find(({ currency }) => currency === BOOKS_CURRENCY)?.outstanding_amount ?? 0);
}

function renderBalance({
  currency,
  outstanding_amount: due,
  credit_balance: credit,
  on_its_way: onItsWay,
}: Balance) {
  return {
    currency,
    outstanding_amount: moneyToWire(due),
    credit_balance: moneyToWire(credit),
    net_balance: moneyToWire(due - credit - onItsWay),
  };
}

function rupeesFirst(one: Balance, other: Balance): number {
  const isRupees = Number(other.currency === BOOKS_CURRENCY) - Number(one.currency === BOOKS_CURRENCY);
  return isRupees || (one.currency < other.currency ? -1 : 1);
}
