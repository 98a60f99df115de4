// How the page's address names a booking: by its id, and by how the visitor came back from paying.
const BOOKING = "booking";
const PAYMENT = "booking_payment";

/** The booking that the address names, and whether the visitor comes from a payment that was made, or was not. */
export function readArrival(): { id: string | null; mayHavePaid: boolean; hasNotPaid: boolean } {
  const { searchParams } = new URL(location.href);
  const id = searchParams.get(BOOKING);
  const payment = searchParams.get(PAYMENT);
  const mayHavePaid = payment ? payment === "made" : id !== null;
  return { id, mayHavePaid, hasNotPaid: payment !== null && !mayHavePaid };
}

/** Says in the address how a payment on this page ended, as a payment page would. */
export function arriveFromPayment(payment: "made" | "cancelled"): void {
  history.replaceState(history.state, "", withPayment(location.href, payment));
}

/** Takes all of it out of the address. */
export function forgetArrival(): void {
  history.replaceState(history.state, "", withPayment(location.href, null));
}

/** Where a payment page sends the visitor when the payment is made, and when it is called off. */
export function returnAddresses(page: string): { return_url: string; cancel_url: string } {
  return { return_url: withPayment(page, "made"), cancel_url: withPayment(page, "cancelled") };
}

function withPayment(page: string, payment: string | null): string {
  const url = new URL(page, location.href);
  url.searchParams.delete(BOOKING);
  url.searchParams.delete(PAYMENT);
  if (payment !== null) url.searchParams.set(PAYMENT, payment);
  return url.href;
}
