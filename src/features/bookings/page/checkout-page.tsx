import type { HostedCheckout } from "#features/gateway-payments";
import type { Visit } from "./find-visit.ts";
import { Lesson, renderLayout } from "./layout.tsx";

/** The step to a gateway that takes its payers by a form: it needs no script of the gateway here. */
export function renderCheckoutPage(visit: Visit, base: string, { action, fields }: HostedCheckout) {
  return renderLayout({
    ...{ title: "Pay for your lesson", visit },
    children: (
      <>
        <h1>Pay for your lesson</h1>
        <Lesson visit={visit} />
        <form method="post" action={action}>
          {Object.entries(fields).map(([name, value]) => (
            <input type="hidden" name={name} value={value} />
          ))}
          <button type="submit">Go to the payment</button>
        </form>
        <p>
          <a href={base}>Back to the booking</a>
        </p>
      </>
    ),
  });
}
