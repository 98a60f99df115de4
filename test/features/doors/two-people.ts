import { newAddress } from "../messaging/provider.ts";
import { type Booked, book, type browserOf, expectStatus, type School, schoolCall } from "../school.ts";

/** A stranger and a woman: he knows her phone number, and types it with an e-mail address of his own. */
export function twoPeople() {
  const phone = `98450${String(Math.floor(Math.random() * 100_000)).padStart(5, "0")}`;
  return {
    him: { name: "Viktor Strange", email: newAddress("him"), phone },
    her: { name: "Mia Chen", email: newAddress("her"), phone },
  };
}

type Browser = Awaited<ReturnType<typeof browserOf>>;

/** Books from a browser. */
export async function bookedBy(school: School, browser: Browser, fields: object): Promise<Booked> {
  return expectStatus(await book(school, { ...fields }, browser), 201).body;
}

/** Cancels from a browser, by the booking's id. */
export async function cancelledBy({ company }: School, browser: Browser, id: string): Promise<void> {
  expectStatus(await schoolCall(company, "POST", `/bookings/${id}/cancel`, { body: {}, ...browser }), 200);
}
