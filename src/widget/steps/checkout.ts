import { arriveFromPayment } from "../arrival.ts";
import { button, h } from "../dom.ts";
import { type Flow, notice, type View } from "../flow.ts";
import { loadScript } from "../load-script.ts";

const CHECKOUT = "https://checkout.razorpay.com/v1/checkout.js";

type Razorpay = new (options: object) => { open: () => void };

/** Takes the payment on this page by Razorpay's Checkout, whose script is loaded when the visitor presses the button. */
export function checkOut(flow: Flow): View | undefined {
  const { memory, payment, text } = flow;
  const { gateway_order_id: order_id, key_id: key } = payment?.payment_data ?? {};
  if (order_id === undefined || key === undefined) return flow.go("status");
  const said = h("div", { role: "status" });
  const done = (how: "made" | "cancelled") => {
    arriveFromPayment(how);
    flow.go("status");
  };
  const open = async () => {
    try {
      await loadScript(CHECKOUT);
      const { Razorpay } = globalThis as unknown as { Razorpay: Razorpay };
      const { details = {} } = memory.choice;
      const { "customer.name": name, "customer.email": email, "customer.phone": contact } = details;
      new Razorpay({
        key,
        order_id,
        prefill: { name, email, contact },
        // The gateway's word to the school is the only proof: what it tells this page is not.
        handler: () => done("made"),
        modal: { ondismiss: () => done("cancelled") },
      }).open();
    } catch {
      said.replaceChildren(notice(text.no_answer));
    }
  };
  return {
    heading: text.unpaid,
    content: [h("p", {}, text.unpaidText), said, button(() => void open(), { class: "main" }, text.payNow)],
  };
}
