import { Failure } from "../client.ts";
import { button, h } from "../dom.ts";
import type { Flow, View } from "../flow.ts";
import type { Booking, Payment } from "../wire.ts";
import { isMarked } from "./details.ts";
import { leaveToPay } from "./pay.ts";

/** Sends the booking until it is known what became of it, always under the one Idempotency-Key. */
export async function sendBooking(flow: Flow, signal: AbortSignal): Promise<View | undefined> {
  const { client, memory, text } = flow;
  const { attempt } = memory.kept;
  if (!attempt) return flow.go("details");
  flow.say(text.sending);
  try {
    const { key, body } = attempt;
    const made = await client.post<{ booking: Booking; payment: Payment }>("/bookings", signal, body, key);
    const { id, manage_url: manage } = made.booking;
    memory.keep({ id, isOffline: !made.payment.online_payment_enabled, manage });
    flow.emit("booking-created", made);
    return leaveToPay(flow, made.payment);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.leavesDoubt) return tryAgain(flow, error);
    if (error.code.startsWith("captcha_")) {
      flow.siteKey = error.more;
      return flow.go("puzzle", error.code === "captcha_failed" ? flow.explain(error) : undefined);
    }
    memory.keep({});
    if (error.code.startsWith("slot_")) return flow.go("times", flow.explain(error));
    flow.problems = error.fields;
    return flow.go("details", isMarked(error.fields) ? text.check : flow.explain(error));
  }
}

// Offers no other step: another time chosen now could become a second booking.
function tryAgain(flow: Flow, error: Failure): View {
  const { text } = flow;
  const again = button(() => flow.go("send"), { class: "main" }, text.tryAgain);
  return { heading: text.doubt, content: [h("p", {}, flow.explain(error), " ", text.doubtText), again] };
}
