import type { Child } from "hono/jsx";
import type { Sent } from "#api/operations/page.ts";
import { CheckoutForm } from "#api/page-parts/checkout-form.tsx";
import { Refusal, renderVisitorLayout, type VisitorLayout } from "#api/page-parts/layout.tsx";
import { type NamedValue, NamedValues } from "#api/page-parts/named-values.tsx";
import type { HostedCheckout } from "#features/gateway-payments";
import { formatMoney } from "#features/invoices";
import { moneyToWire } from "#shared/fields/numbers.ts";
import type { Payable } from "./find-payable.ts";
import { WORDS } from "./words.ts";

/** Where the page stands behind the invoice's own. */
export const PAY = "/pay";
/** How often the page that waits for a gateway's word looks again, in seconds. */
const WAITS = [1, 2, 3, 4, 6, 8];

type Seen = {
  payable: Payable;
  sent: Pick<Sent, "language" | "link">;
  /** Makes the form one operation, however often it is sent. */
  once: string;
  /** How often the page was looked at since its payer came back from the gateway. */
  waited?: number | undefined;
  refusal?: string | undefined;
  /** The step to the gateway of the payment that is open. */
  checkout?: HostedCheckout | undefined;
};

/** The page on which an invoice is paid through the company's gateway. */
export function renderPayPage({ payable, sent, once, waited, refusal, checkout }: Seen) {
  const { language, link } = sent;
  const words = WORDS[language];
  const seconds = waited === undefined ? undefined : WAITS[waited];
  if (seconds !== undefined) {
    const refresh = { seconds, url: link(PAY, { paid: String((waited ?? 0) + 1) }) };
    const query = { paid: String(waited) };
    return render({ payable, sent }, words.awaited, { query, refresh }, <State text={words.awaitedText} />);
  }
  return render(
    { payable, sent },
    words.pay,
    checkout === undefined ? {} : { script: checkout.script },
    <>
      <Refusal text={refusal} />
      {waited !== undefined && <State text={words.unconfirmed} />}
      <Facts payable={payable} sent={sent} />
      {checkout === undefined ? (
        <form method="post" action={link(PAY)}>
          <input type="hidden" name="once" value={once} />
          <button type="submit">{words.payNow}</button>
        </form>
      ) : (
        <CheckoutForm action={checkout.action} fields={checkout.fields} label={words.goToPayment} />
      )}
    </>,
  );
}

type Frame = Pick<Seen, "payable" | "sent">;

function render(
  { payable, sent }: Frame,
  title: string,
  more: Pick<VisitorLayout, "query" | "refresh" | "script">,
  children: Child,
) {
  return renderVisitorLayout({
    ...{ title, company: payable.seller, sent, path: PAY, ...more },
    children: (
      <>
        <h1>{title}</h1>
        {children}
        <p>
          <a href={sent.link("")}>{WORDS[sent.language].backToInvoice}</a>
        </p>
      </>
    ),
  });
}

function State({ text }: { text: string }) {
  return (
    <p class="state" role="status">
      {text}
    </p>
  );
}

/** What is to be paid, and to whom. */
function Facts({ payable, sent }: Frame) {
  const words = WORDS[sent.language];
  const facts: NamedValue[] = [
    [words.to, payable.seller],
    [words.invoice, payable.number],
    [words.amount, formatMoney(moneyToWire(payable.amount_due), payable.currency)],
  ];
  return <NamedValues rows={facts} />;
}
