import { sql } from "drizzle-orm";
import type { Ctx } from "#core/context.ts";
import { AnotherBatch, atomic, refuseWhen } from "#core/write/atomic.ts";
import {
  type AccountRow,
  askFirst,
  cancelAtGateway,
  openAtGateway,
  replaceIntents,
} from "#features/gateway-payments";
import { Problem } from "#shared/problem.ts";
import { retryLater } from "#shared/retry.ts";
import { invoices } from "#tables/invoices";
import { canPay, findAgain, findToPay, type Payable } from "./find-payable.ts";
import { invoiceEffects } from "./invoice-effects.ts";

const ATTEMPTS = 3;
const AGAIN_MS = 1_000;

/** The payment that an invoice is asked for by; `payment_url` is the gateway's page, null where it has none of its own. */
export type PayRow = { id: number; payment_url: string | null };
type Addresses = { returnUrl: string; cancelUrl: string };
type ToPay = Awaited<ReturnType<typeof findToPay>>;

/**
 * Opens the payment of what is due of an invoice, or finds the one that is open: an invoice has one at a time, which the
 * database holds to. The gateway is asked about the open one first, for its event may not have come.
 */
export function payInvoice(ctx: Ctx, token: string, addresses: Addresses): Promise<PayRow> {
  return ctx.oneByOne(`pay:invoice:${token}`, () => payAlone(ctx, token, addresses));
}

async function payAlone(ctx: Ctx, token: string, addresses: Addresses): Promise<PayRow> {
  const seen = await findToPay(ctx, token);
  const { hasNews, usable } = await askFirst(ctx, invoiceEffects, seen.open);
  let found = hasNews ? await findToPay(ctx, token) : seen;
  for (let attempt = 1; ; attempt += 1) {
    const { payable, open, account } = found;
    requirePayable(payable);
    const waiting = waitingOf(payable, found === seen ? usable : open);
    if (waiting !== undefined) return { id: payable.id, payment_url: waiting.intent.paymentUrl };
    if (account === undefined) throw new Problem("online_payment_not_enabled");
    // A gateway takes one amount under one name.
    const call = attempt === 1 ? ctx.call : { ...ctx.call, id: ctx.newId() };
    const opened = await openPayment({ ...ctx, call }, found, account, addresses);
    if (opened !== undefined) return opened;
    if (attempt === ATTEMPTS) throw retryLater("unavailable", AGAIN_MS);
    found = await findToPay(ctx, token);
  }
}

/** The gateway's page of the open payment of what is due now; undefined where there is none, or it has no page of its own. */
export async function whereToPay(ctx: Ctx, token: string): Promise<string | undefined> {
  const { payable, open } = await findAgain(ctx, token);
  if (payable === undefined || !canPay(payable)) return undefined;
  return waitingOf(payable, open)?.intent.paymentUrl ?? undefined;
}

const waitingOf = (payable: Payable, open: readonly ToPay["open"][number][]) =>
  open.find(({ intent, account: { isActive } }) => isActive === 1 && fits(payable, intent));

function requirePayable(payable: Payable): void {
  if (payable.amount_due === 0) throw new Problem("already_paid");
  if (!canPay(payable)) throw new Problem("online_payment_not_enabled");
}

/** Whether a payment is of all that is due. */
export function fits(
  { amount_due, currency }: Payable,
  asked: { amount: number; currency: string },
): boolean {
  return asked.amount === amount_due && asked.currency === currency;
}

/**
 * Opens a payment at the gateway, and stores it in place of those of another amount. Undefined where another call changed
 * what is due, or opened a payment, first: nothing is stored, and what was opened stays unknown to its payer.
 */
async function openPayment(
  ctx: Ctx,
  { payable, open }: ToPay,
  account: AccountRow,
  { returnUrl, cancelUrl }: Addresses,
): Promise<PayRow | undefined> {
  const { id, number, amount_due: amountMinor, currency, buyer } = payable;
  const { gatewayOrderId, paymentUrl } = await openAtGateway(ctx, account, {
    ...{ kind: "invoice", number, amountMinor, currency, returnUrl, cancelUrl },
    description: `Invoice ${number}`,
    // The address and the number are not shown to who has the page's address, so not at the gateway either.
    customer: { name: buyer, email: null, phone: null },
  });
  const moved = () => new AnotherBatch();
  try {
    const opened = await atomic(
      ctx,
      [
        refuseWhen(
          sql`NOT EXISTS (SELECT 1 FROM ${invoices} WHERE ${invoices.id} = ${id} AND ${invoices.amountDue} = ${amountMinor})`,
          "intent_moved",
        ),
        ...replaceIntents(ctx, open, account, {
          ...{ kind: "invoice", refId: String(id), amountMinor, currency, gatewayOrderId, paymentUrl },
        }),
      ],
      sql<PayRow>`SELECT json_object('id', ${id}, 'payment_url', ${paymentUrl})`,
      { intent_moved: moved, "payment_intents.ref_id": moved },
    );
    await cancelAtGateway(ctx, open);
    return opened;
  } catch (error) {
    if (error instanceof AnotherBatch) return undefined;
    throw error;
  }
}
