import { randomBytes } from "node:crypto";
import type { TestCompany } from "../../support/company.ts";
import { play } from "../../support/gateways.ts";
import { AT, openWithGateway, orderOf, pay } from "../bookings/bookings/gateway-school.ts";
import { newAddress } from "../messaging/provider.ts";
import { expectStatus, newBooking, type School, STUDENT } from "../school.ts";
import { onlyRules } from "./notified.ts";

type Outcome = "paid" | "twice" | "wrong_amount";
// The service's own clock finds nothing there.
export const LATER = Date.parse("2037-06-03T00:00Z");

/** A school where these rules are on and no other, and a lesson there that was paid. */
export async function withPaidLesson(
  rules: Record<string, object>,
  fields: object = {},
  outcome: Outcome = "paid",
) {
  const { school, gateway } = await openWithGateway();
  await onlyRules(school.company, rules);
  return { company: school.company, school, gateway, ...(await paidLesson(school, fields, outcome)) };
}

/** A lesson that a person with an address of their own has paid through Razorpay. */
export async function paidLesson(
  school: School,
  fields: object = {},
  outcome: Outcome = "paid",
): Promise<{ email: string; number: string; id: string }> {
  const email = newAddress();
  const booking = await newBooking(school, { ...AT, customer: { ...STUDENT, email, ...fields } });
  const order = orderOf(expectStatus(await pay(school, booking.id), 200));
  await play(school.company, "razorpay", order, outcome);
  return { email, number: booking.booking_number, id: booking.id };
}

/** Leaves a refund of the newest payment that was made now, with its events; `also` stands in the same batch. */
export async function leaveRefund(
  company: TestCompany,
  fields: object,
  also: readonly string[] = [],
): Promise<void> {
  const row = {
    ...{ operation: "op", key: `rf-${randomBytes(9).toString("hex")}`, gateway: "razorpay", source: "api" },
    ...{ amount: 7_500, advance_amount: 0, currency: "INR", status: "succeeded", attempts: 1 },
    ...{ created_at: LATER, settled_at: LATER, ...fields },
  };
  const names = Object.keys(row);
  await company.database().batch([
    {
      sql: `INSERT INTO gateway_refunds (capture_id, ${names.join(", ")})
        SELECT max(id), ${names.fill("?").join(", ")} FROM gateway_captures`,
      args: Object.values(row),
    },
    ...also,
    `UPDATE events SET at = ${LATER}, request_id = 'r', shape = 0, is_notified = 1 WHERE at IS NULL`,
  ]);
}
