import { type SQL, sql } from "drizzle-orm";
import type { CallCtx } from "#core/context.ts";
import { columnsNamed } from "#core/sql/columns.ts";
import { type JsonRow, jsonObject, jsonQuery, parseRows } from "#core/sql/json.ts";
import { read } from "#core/write/replay.ts";
import { accountsFor, selectOpen } from "#features/gateway-payments";
import { offersPayment, PAY_OFFER } from "#features/invoices";
import { Problem } from "#shared/problem.ts";
import { invoices } from "#tables/invoices";

const shape = {
  ...columnsNamed(invoices, "id", "status", "amount_due", "currency"),
  number: invoices.invoiceNumber,
  seller: sql<string>`${invoices.seller} ->> '$.legal_name'`,
  buyer: sql<string>`${invoices.customer} ->> '$.name'`,
  is_payable_online: PAY_OFFER.isPayableOnline,
  holds_money: PAY_OFFER.holdsMoney,
};
/** What the page on which an invoice is paid is made from. */
export type Payable = JsonRow<typeof shape>;

const ofToken = (ctx: CallCtx, token: string) =>
  jsonQuery(
    ctx,
    sql<Payable>`SELECT ${jsonObject(shape)} AS snapshot FROM ${invoices} WHERE ${invoices.publicToken} = ${token}`,
  );
const columnOf = (column: SQL, token: string) =>
  sql<string>`(SELECT ${column} FROM ${invoices} WHERE ${invoices.publicToken} = ${token})`;

/** The invoice of a public token; 404 for an unknown one, 410 once it is voided. */
export async function findPayable(ctx: CallCtx, token: string): Promise<Payable> {
  const [rows] = await read(ctx, [ofToken(ctx, token)]);
  return requirePayable(parseRows(rows));
}

/** The same with its open payments, newest first, and the account that a new one goes through. */
export async function findToPay(ctx: CallCtx, token: string) {
  const [rows, [account], open] = await read(ctx, toPay(ctx, token));
  return { payable: requirePayable(parseRows(rows)), account, open };
}

/** The invoice with its open payments as they are now, after the call has written or was answered again. */
export async function findAgain(ctx: CallCtx, token: string) {
  const [rows, , open] = await ctx.database.read(toPay(ctx, token));
  return { payable: parseRows(rows)[0], open };
}

const toPay = (ctx: CallCtx, token: string) =>
  [
    ofToken(ctx, token),
    accountsFor({ currency: columnOf(sql`${invoices.currency}`, token) }),
    selectOpen(ctx, "invoice", columnOf(sql`CAST(${invoices.id} AS TEXT)`, token)),
  ] as const;

function requirePayable([payable]: readonly Payable[]): Payable {
  if (payable === undefined) throw new Problem("not_found");
  if (payable.status === "voided") throw new Problem("invoice_voided", { status: 410 });
  return payable;
}

/** Whether an invoice can be paid through the company's gateway now. */
export function canPay({
  amount_due: due,
  is_payable_online: isPayableOnline,
  holds_money: holdsMoney,
}: Payable) {
  return due > 0 && offersPayment({ isPayableOnline, holdsMoney });
}
