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

/** Says in the address how a payment on this page ended, as a payment page would; without one, takes all out of it. */
export function arrive(payment?: "made" | "cancelled"): void {
  history.replaceState(history.state, "", addressOf(location.href, payment));
}

/** Where a payment page sends the visitor when the payment is made, and when it is called off; the API puts in the id. */
export function returnAddresses(page: string): { return_url: string; cancel_url: string } {
  const id = "{booking_id}";
  return { return_url: addressOf(page, "made", id), cancel_url: addressOf(page, "cancelled", id) };
}

function addressOf(page: string, payment?: string, id?: string): string {
  const url = new URL(page, location.href);
  for (const [name, value] of [
    [BOOKING, id],
    [PAYMENT, payment],
  ] as const) {
    if (value) url.searchParams.set(name, value);
    else url.searchParams.delete(name);
  }
  return url.href;
}
