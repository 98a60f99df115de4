import { type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { Router } from "#api/operations/operation.ts";
import type { ReadCtx, WriteCtx } from "#core/context.ts";
import { amount, described, idText, instant } from "#core/sql/fields.ts";
import { listByDays } from "#core/sql/narrowed.ts";
import { type RowOf, record } from "#core/sql/record.ts";
import { atomic, refuseWhen } from "#core/write/atomic.ts";
import {
  closedDate,
  documentOf,
  entry,
  holdClearing,
  inputTax,
  postedFields,
  postStrictly,
  refuseFuture,
  STRICTLY_POSTED,
} from "#features/ledger";
import { idReference } from "#shared/fields/ids.ts";
import { DayQuery } from "#shared/fields/list-filters.ts";
import { money, moneyToWire } from "#shared/fields/numbers.ts";
import { cleanText } from "#shared/fields/text.ts";
import { ACCOUNTS, CLEARING_ACCOUNTS } from "#shared/payments/books.ts";
import { GATEWAY_KINDS } from "#shared/payments/gateways.ts";
import { fieldProblem, type Problem } from "#shared/problem.ts";
import { isoDate } from "#shared/time/dates.ts";
import { gatewayCaptures, settledRefunds, settlements } from "#tables/captures";
import { accounts, journalEntries } from "#tables/ledger";
import { gatewayRefunds } from "#tables/refunds";

const MOST_CAPTURES = 1_000;

const feeHead = money().optional().meta({ description: "In India: of the GST on the fee, this head." });
const Settlement = z
  .object({
    gateway: z.enum(GATEWAY_KINDS),
    settled_on: isoDate.meta({
      description: "The day on which the money reached the bank. Not after today.",
    }),
    payout_reference: cleanText({ min: 1, max: 100 }).meta({
      description: "The gateway's id of the payout.",
    }),
    net_amount: money({ min: 0.01 }).meta({ description: "What came to the bank." }),
    fee_amount: money().optional().meta({ description: "What the gateway kept, without tax. Default: 0." }),
    fee_tax_amount: money().optional().meta({
      description: "The GST on its fee. Default: the sum of its heads. Without heads it goes to Input GST.",
    }),
    fee_cgst_amount: feeHead,
    fee_sgst_amount: feeHead,
    fee_igst_amount: feeHead,
    bank_account_id: idReference.optional().meta({ description: "Default: Bank." }),
    captures: z.array(idReference).min(1).max(MOST_CAPTURES).optional().meta({
      description:
        "The captures in the payout. Their amounts, less those of its refunds, must come to the net amount, fee and tax.",
    }),
    refunds: z.array(idReference).min(1).max(MOST_CAPTURES).optional().meta({
      description:
        "The refunds that the payout was lessened by, which have succeeded. Only with its captures.",
    }),
  })
  .refine((body) => body.refunds === undefined || body.captures !== undefined, {
    path: ["captures"],
    params: { code: "required" },
    error: "is required with refunds",
  });
type Settlement = z.infer<typeof Settlement>;

/** A payout of a gateway that was recorded. */
export const settlement = record(
  settlements,
  {
    id: idText,
    gateway: z.enum(GATEWAY_KINDS),
    payout_reference: z.string().describe("The gateway's id of the payout."),
    settled_on: z.string().describe("The day on which the money reached the bank."),
    net_amount: described(amount, "What came to the bank."),
    fee_amount: described(amount, "What the gateway kept, without tax."),
    fee_tax_amount: described(amount, "The GST on its fee."),
    ...postedFields(
      "settlement",
      settlements.id,
      "The entry that posts it.",
      "When it was taken back; null while it stands.",
    ),
    created_at: instant,
  },
  "Settlement",
);

export const settlementRoutes = new Router("Ledger", "/settlements")
  .list(
    {
      listSettlements: listByDays(settlement, {
        column: settlements.settledOn,
        second: settlements.createdAt,
      }),
    },
    "/",
    {
      summary: "List the payouts of gateways",
      description:
        "Newest first, also what was taken back. Captures and refunds name theirs in `settlement_id`.",
      query: DayQuery,
      sort: (row) => [row.settled_on, row.created_at, row.id],
      record: settlement,
    },
  )
  .create({ createSettlement }, "/", {
    summary: "Record a payout of a gateway",
    description:
      "Moves what the gateway paid out from its clearing account to the bank, its fee to Payment Gateway Charges, and the GST on the fee to Input GST, or to the accounts of its heads. All or nothing is posted, and no more than the clearing account has. Answers the entry: its `source_id` is the id of the settlement.",
    body: Settlement,
    record: entry,
    problems: [
      "duplicate_settlement",
      "settlement_mismatch",
      "gst_not_registered",
      "account_inactive",
      "no_financial_year",
      "period_locked",
      "number_exhausted",
    ],
  });

/** Records a payout of a gateway; strict: what cannot be posted is refused. */
async function createSettlement(
  ctx: WriteCtx,
  _params: unknown,
  body: Settlement,
): Promise<RowOf<typeof entry>> {
  const {
    gateway,
    settled_on: date,
    payout_reference: reference,
    bank_account_id: bank,
    captures,
    refunds,
  } = body;
  const { net_amount: net, fee_amount: fee = 0 } = body;
  const { fee_cgst_amount: cgst, fee_sgst_amount: sgst, fee_igst_amount: igst } = body;
  const feeTax = inputTax(ctx, { tax: body.fee_tax_amount, cgst, sgst, igst }, "fee_");
  const tax = feeTax.total;
  const gross = net + fee + tax;
  refuseFuture(ctx, "settled_on", date);
  const operation = ctx.call.id;
  const id = sql<number>`(SELECT ${settlements.id} FROM ${settlements} WHERE ${settlements.operation} = ${operation})`;
  const key = CLEARING_ACCOUNTS[gateway];
  const clearing = await holdClearing(ctx, [{ key, amount: gross, field: "net_amount" }]);
  return atomic(
    ctx,
    [
      ...feeTax.guards,
      ...(bank === undefined ? [] : [refuseWhen(sql`NOT EXISTS (${bankAccount(bank)})`, "account_gone")]),
      ctx.db.insert(settlements).values({
        operation,
        gateway,
        payoutReference: reference,
        settledOn: date,
        netAmount: net,
        feeAmount: fee,
        feeTaxAmount: tax,
        createdAt: ctx.now,
      }),
      ...(captures === undefined
        ? []
        : [
            sql`UPDATE ${gatewayCaptures} SET settlement_id = ${id}
              WHERE ${freeCapturesIn(ctx, body)}`,
            sql`INSERT INTO ${settledRefunds} (refund_id, settlement_id)
              SELECT ${gatewayRefunds.id}, ${id} FROM ${gatewayRefunds} WHERE ${freeRefundsIn(ctx, body)}`,
            refuseWhen(
              sql`(SELECT count(*) FROM ${gatewayCaptures} WHERE ${gatewayCaptures.settlementId} = ${id}) <> ${new Set(captures).size}
                OR (SELECT count(*) FROM ${settledRefunds} WHERE ${settledRefunds.settlementId} = ${id}) <> ${new Set(refunds).size}
                OR ${worth(sql`${gatewayCaptures.settlementId} = ${id}`, sql`${gatewayRefunds.id} IN (SELECT ${settledRefunds.refundId} FROM ${settledRefunds} WHERE ${settledRefunds.settlementId} = ${id})`)} <> ${gross}`,
              "settlement_mismatch",
            ),
          ]),
      ...postStrictly(ctx, {
        ...{ ordinal: 0, voucherType: "settlement", sourceType: "settlement", date },
        documents: documentOf(id, `Payout ${reference} of ${gateway}`, [
          { ...(bank === undefined ? { key: ACCOUNTS.bank } : { id: bank }), debit: net },
          { key: ACCOUNTS.gatewayCharges, debit: fee },
          ...feeTax.debits,
          { key, credit: gross },
        ]),
      }),
      ...clearing.held,
    ],
    entry.select(sql`${journalEntries.operation} = ${operation} AND ${journalEntries.ordinal} = 0`),
    {
      ...{ ...STRICTLY_POSTED, ...closedDate("settled_on"), ...clearing.refusals, ...feeTax.refusals },
      account_gone: () => fieldProblem("bank_account_id", "not_found", "names no bank or cash account"),
      settlement_mismatch: () => mismatch(ctx, body, gross),
    },
  );
}

/** An account of the company that holds money. */
function bankAccount(id: number) {
  return sql`SELECT 1 FROM ${accounts} WHERE ${accounts.id} = ${id} AND ${accounts.type} = 'asset'
    AND ${accounts.partyId} IS NULL AND ${accounts.deletedAt} IS NULL
    AND coalesce(${accounts.systemKey}, ${ACCOUNTS.bank}) IN (${ACCOUNTS.bank}, ${ACCOUNTS.cash})`;
}

/** What the books have of captures, less refunds. */
function worth(which: SQL, back: SQL): SQL<number> {
  return sql<number>`((SELECT coalesce(sum(${gatewayCaptures.amount}), 0) FROM ${gatewayCaptures} WHERE ${which})
    - (SELECT coalesce(sum(${gatewayRefunds.amount}), 0) FROM ${gatewayRefunds} WHERE ${back}))`;
}

/** The captures that a payout names, as far as they may be in it. */
function freeCapturesIn({ company }: ReadCtx, { gateway, captures }: Settlement): SQL {
  return sql`${gatewayCaptures.id} IN (SELECT value FROM json_each(${JSON.stringify(captures ?? [])}))
    AND ${gatewayCaptures.gateway} = ${gateway} AND ${gatewayCaptures.currency} = ${company.currency}
    AND ${gatewayCaptures.settlementId} IS NULL`;
}

/** The same of its refunds: the books know of what has succeeded. */
function freeRefundsIn({ company }: ReadCtx, { gateway, refunds }: Settlement): SQL {
  return sql`${gatewayRefunds.id} IN (SELECT value FROM json_each(${JSON.stringify(refunds ?? [])}))
    AND ${gatewayRefunds.gateway} = ${gateway} AND ${gatewayRefunds.currency} = ${company.currency}
    AND ${gatewayRefunds.status} = 'succeeded'
    AND NOT EXISTS (SELECT 1 FROM ${settledRefunds} WHERE ${settledRefunds.refundId} = ${gatewayRefunds.id})`;
}

/** The 422 that says by how much the captures and refunds that may be in the payout differ from it. */
async function mismatch(ctx: ReadCtx, body: Settlement, gross: number): Promise<Problem> {
  const free = worth(freeCapturesIn(ctx, body), freeRefundsIn(ctx, body));
  const [[found]] = await ctx.database.read([ctx.db.select({ worth: free }).from(sql`(SELECT 1)`)]);
  const words = "and refunds must be of this gateway, in no other payout, and come to the payout's amounts";
  const members = { difference: moneyToWire(gross - (found?.worth ?? 0)) };
  return fieldProblem("captures", "settlement_mismatch", words, "settlement_mismatch", { members });
}
