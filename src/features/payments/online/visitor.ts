import type { Form, Sent, Shown } from "#api/operations/page.ts";
import type { Ctx } from "#core/context.ts";
import { type HostedCheckout, hostedCheckout, pollSoon, waitingCheckout } from "#features/gateway-payments";
import { canPay, findPayable, type Payable } from "./find-payable.ts";
import { fits, type PayRow, payInvoice, whereToPay } from "./pay-invoice.ts";
import { PAY, renderPayPage } from "./pay-page.tsx";
import { refusalOf } from "./words.ts";

// Of the page's address: its payer has just come back from the gateway.
const PAID = "paid";

/** The page on which an invoice is paid; what cannot be paid leads to the invoice, which says why. */
export async function showPay(ctx: Ctx, sent: Sent): Promise<Shown> {
  const payable = await findPayable(ctx, sent.token);
  if (!canPay(payable)) return { goTo: sent.link("") };
  const paid = sent.fields.get(PAID) ?? "";
  return payPage(ctx, payable, sent, { waited: /^\d$/.test(paid) ? Number(paid) : undefined });
}

/** Where a payer comes back to by a link, which changes nothing. */
export async function goBack(ctx: Ctx, { token, link }: Sent): Promise<Shown> {
  await findPayable(ctx, token);
  return { goTo: link(PAY, { [PAID]: "0" }) };
}

/** Where gateways send a payer back to by a form: it changes nothing by itself, and lets the gateway be asked now. */
export async function comeBack(ctx: Ctx, { token, link }: Sent): Promise<Shown> {
  const payable = await findPayable(ctx, token);
  if (payable.amount_due > 0) await pollSoon(ctx, "invoice", String(payable.id));
  return { goTo: link(PAY, { [PAID]: "0" }) };
}

export const payForm: Form<PayRow> = {
  operation: "payInvoice",
  changes: ["invoice", "payment"],
  act: (ctx, { token, link }) =>
    payInvoice(ctx, token, { returnUrl: link(PAY, { [PAID]: "0" }), cancelUrl: link("") }),
  // A form that is sent again has the answer of its first time, and what is due may have changed since.
  done: async (ctx, { token, link }) => ({ goTo: (await whereToPay(ctx, token)) ?? link(PAY) }),
  async refused(ctx, sent, problem) {
    const payable = await findPayable(ctx, sent.token);
    if (!canPay(payable)) return { goTo: sent.link("") };
    return payPage(ctx, payable, sent, { refusal: refusalOf(problem, sent.language) });
  },
};

/** The page with the form, or the step to a gateway that gave the open payment no page of its own. */
async function payPage(
  ctx: Ctx,
  payable: Payable,
  sent: Sent,
  more: { waited?: number | undefined; refusal?: string },
): Promise<Shown> {
  const checkout = await openCheckout(ctx, payable, sent);
  const page = renderPayPage({ payable, sent, once: ctx.newToken(), checkout, ...more });
  return { page, ...(checkout && { sources: checkout.sources }) };
}

async function openCheckout(ctx: Ctx, payable: Payable, { link }: Sent): Promise<HostedCheckout | undefined> {
  const waiting = await waitingCheckout(ctx, "invoice", String(payable.id));
  if (waiting === undefined || !fits(payable, waiting)) return undefined;
  const { data } = waiting;
  const prefill = { name: payable.buyer };
  return hostedCheckout(ctx, { ...data, prefill }, { callbackUrl: link("/paid"), cancelUrl: link("") });
}
