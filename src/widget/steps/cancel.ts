import { Failure } from "../client.ts";
import { actions, button, h } from "../dom.ts";
import type { Flow, View } from "../flow.ts";
import { fill } from "../formats.ts";
import { look } from "./status.ts";

/** Asks whether the booking is to be cancelled, and cancels it. */
export async function cancelBooking(flow: Flow, signal: AbortSignal): Promise<View | undefined> {
  const { client, formats, text } = flow;
  const { id, currency, cancellation } = await look(flow, signal);
  if (!cancellation) return flow.go("status", text.cancel_window_passed);
  const { refund_amount: refund } = cancellation;
  const key = crypto.randomUUID();
  const cancel = async () => {
    flow.say(text.loading);
    try {
      await client.post(`/bookings/${id}/cancel`, signal, {}, key);
      flow.go("status");
    } catch (error) {
      if (!(error instanceof Failure) || error.leavesDoubt) flow.fail(error, "cancel", signal);
      else flow.go("status", flow.explain(error));
    }
  };
  return {
    heading: `${text.cancelThis}?`,
    content: [
      refund > 0 && h("p", {}, fill(text.cancelText, { amount: formats.money(refund, currency) })),
      actions(
        button(() => void cancel(), { class: "main" }, text.cancelYes),
        button(() => flow.go("status"), { class: "link" }, text.cancelNo),
      ),
    ],
  };
}
