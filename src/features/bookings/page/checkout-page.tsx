import type { HostedCheckout } from "#features/gateway-payments";
import { type Frame, Lesson, renderLayout } from "./layout.tsx";
import { WORDS } from "./words/words.ts";

/** The step to a gateway without a page for each payment: its script takes the form's fields, or its own page the form. */
export function renderCheckoutPage({ visit, sent }: Frame, { action, fields, script }: HostedCheckout) {
  const { pay, goToPayment, backToBooking } = WORDS[sent.language];
  return renderLayout({
    ...{ title: pay, visit, sent, script },
    children: (
      <>
        <h1>{pay}</h1>
        <Lesson visit={visit} sent={sent} />
        <form method="post" action={action} data-checkout>
          {Object.entries(fields).map(([name, value]) => (
            <input type="hidden" name={name} value={value} />
          ))}
          <button type="submit">{goToPayment}</button>
        </form>
        <p>
          <a href={sent.link("")}>{backToBooking}</a>
        </p>
      </>
    ),
  });
}
