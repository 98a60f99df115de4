import { returnAddresses } from "../arrival.ts";
import { Failure } from "../client.ts";
import { h } from "../dom.ts";
import type { Flow, View } from "../flow.ts";
import type { Payment } from "../wire.ts";
import { checkOut } from "./checkout.ts";

/** Starts the payment of a booking, or starts it anew. */
export async function payBooking(flow: Flow, signal: AbortSignal): Promise<View | undefined> {
  const { client, memory, page, payment: opened } = flow;
  flow.payment = undefined;
  if (opened) return checkOut(flow, opened);
  try {
    const addresses = returnAddresses(page);
    const { payment } = await client.post<{ payment: Payment }>(
      `/bookings/${memory.kept.id}/pay`,
      signal,
      addresses,
      crypto.randomUUID(),
    );
    return await leaveToPay(flow, payment, true);
  } catch (error) {
    if (!(error instanceof Failure) || error.leavesDoubt) throw error;
    const isGone = error.code.startsWith("slot_");
    if (isGone) memory.keep({});
    return flow.go(isGone ? "times" : "status", flow.explain(error));
  }
}

/** Leads to the payment page where one is due, unless the page takes the payment itself; else shows how things stand. */
export async function leaveToPay(flow: Flow, payment: Payment, isPressed = false): Promise<View | undefined> {
  const { text } = flow;
  const { url: own, options } = payment.next_action ?? {};
  if (!own && !options) return flow.go("status");
  if (!flow.emit("booking-payment", { payment })) return flow.go("status");
  if (!own && flow.isInline) {
    if (isPressed) return checkOut(flow, payment);
    flow.payment = payment;
    return flow.go("status");
  }
  // What has no page of its own is paid on the booking's.
  const url = own ?? flow.own("/pay");
  if (!/^https?:/.test(url ?? "")) return flow.go("status", text.online_payment_not_enabled);
  location.assign(url ?? "");
  return { heading: text.leaving, content: [h("a", { href: url }, text.leaving)] };
}
