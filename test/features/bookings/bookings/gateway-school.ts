import { connectGateway, type Kind } from "../../../support/gateways.ts";
import {
  type Booked,
  daysAhead,
  openSchool,
  type School,
  type SchoolAnswer,
  schoolCall,
} from "../../school.ts";

export const DATE = daysAhead(7);
export const AT = { booking_date: DATE, start_time: "10:00" };
export const PAGES = {
  return_url: "https://book.example.com/thanks",
  cancel_url: "https://book.example.com/back",
};
export const HOLD_SECONDS = 15 * 60;

/** A school whose lessons are paid through a gateway. */
export async function openWithGateway(kind: Kind = "razorpay") {
  const school = await openSchool(kind === "razorpay" ? {} : { country: "AU", currency: "AUD" });
  const gateway = await connectGateway(school.company, kind, {
    currencies: [kind === "razorpay" ? "INR" : "AUD"],
  });
  return { school, gateway };
}

/** Starts the payment of a booking. */
export function pay({ company }: School, id: string, body: object = PAGES, headers = {}) {
  return schoolCall<{ payment: Booked["payment"] }>(company, "POST", `/bookings/${id}/pay`, {
    body,
    headers,
  });
}

/** Lets the payments that are open be an hour older: a further press opens another. */
export function agePayments({ company }: School) {
  return company.rows("UPDATE payment_intents SET created_at = created_at - 3600000");
}

/** The gateway's own id of the payment that an answer has started. */
export function orderOf({ body }: SchoolAnswer<Pick<Booked, "payment">>): string {
  return String(body.payment.payment_data?.gateway_order_id);
}
