import { arrive } from "../arrival.ts";
import type { Flow } from "../flow.ts";
import { loadScript } from "../load-script.ts";
import type { Payment } from "../wire.ts";

type Razorpay = new (options: object) => { open: () => void };

/** Takes a payment over this page by Razorpay's Checkout, whose script is loaded only now; then shows how things stand. */
export async function checkOut(flow: Flow, { next_action: next }: Payment): Promise<undefined> {
  const {
    "customer.name": name,
    "customer.email": email,
    "customer.phone": contact,
  } = flow.memory.choice.details ?? {};
  // The gateway's report to the school is the only proof: its answer to this page is not.
  const end = (how: "made" | "cancelled") => {
    arrive(how);
    flow.go("status");
  };
  await loadScript(`${next?.script}`);
  const { Razorpay } = globalThis as unknown as { Razorpay: Razorpay };
  new Razorpay({
    ...next?.options,
    prefill: { name, email, contact },
    modal: { ondismiss: () => end("cancelled") },
    handler: () => end("made"),
  }).open();
}
