import { Failure } from "../client.ts";
import { button, h } from "../dom.ts";
import type { Flow, View } from "../flow.ts";

/** Asks whether the booking is to be cancelled, and cancels it. */
export function cancelBooking(flow: Flow, signal: AbortSignal): View {
  const { client, memory, text } = flow;
  const key = crypto.randomUUID();
  const cancel = async () => {
    flow.say(text.loading);
    try {
      await client.post(`/bookings/${memory.kept.id}/cancel`, signal, {}, key);
      flow.go("status");
    } catch (error) {
      if (!(error instanceof Failure) || error.leavesDoubt) flow.fail(error, "cancel", signal);
      else flow.go("status", flow.explain(error));
    }
  };
  return {
    heading: text.cancelThis,
    content: [
      h("p", {}, text.cancelText),
      h(
        "div",
        { class: "actions" },
        button(() => void cancel(), { class: "main" }, text.cancelYes),
        button(() => flow.go("status"), { class: "link" }, text.cancelNo),
      ),
    ],
  };
}
