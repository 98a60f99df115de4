import { CheckoutForm } from "#api/page-parts/checkout-form.tsx";
import type { HostedCheckout } from "#features/gateway-payments";
import { type Frame, Lesson, renderLayout } from "./layout.tsx";
import { WORDS } from "./words/words.ts";

/** The step to a gateway that gave the booking's payment no page of its own. */
export function renderCheckoutPage({ visit, sent }: Frame, { script, ...form }: HostedCheckout) {
  const { pay, goToPayment, backToBooking } = WORDS[sent.language];
  return renderLayout({
    ...{ title: pay, visit, sent, script },
    children: (
      <>
        <h1>{pay}</h1>
        <Lesson visit={visit} sent={sent} />
        <CheckoutForm {...form} label={goToPayment} />
        <p>
          <a href={sent.link("")}>{backToBooking}</a>
        </p>
      </>
    ),
  });
}
