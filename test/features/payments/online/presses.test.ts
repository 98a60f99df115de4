import { describe, expect, test } from "vitest";
import { ordersAt, play } from "../../../support/gateways.ts";
import { repeatWhile } from "../../../support/http.ts";
import { agePayments, openWithGateway, orderOf, PAGES, pay } from "../../bookings/bookings/gateway-school.ts";
import { submit } from "../../bookings/page/visitor.ts";
import { daysAhead, expectStatus, newVisit, readBooking } from "../../school.ts";
import { newUnpaid, openSeller } from "./unpaid.ts";

const KINDS = ["razorpay", "stripe", "paypal"] as const;
const PRESSES = Array.from({ length: 25 }, (_, index) => String(index));

/** Where the presses lead to, each place once: a page of the gateway, or an order in a form. */
async function pressed<Place>(press: (once: string) => Promise<Place>, way: "at once" | "in turn") {
  if (way === "at once") return new Set(await Promise.all(PRESSES.map(press)));
  const places = new Set<Place>();
  for (const once of PRESSES) places.add(await press(once));
  return places;
}

describe.each(KINDS)("through %s, 25 presses of Pay open one order at the gateway", async (kind) => {
  const opened = await openWithGateway(kind);
  let day = 7;
  const ordersOf = async () => (await ordersAt(opened.school.company, opened.gateway)).length;
  const visitOf = () => {
    day += 1;
    return newVisit(opened.school, { booking_date: daysAhead(day), start_time: "10:00" });
  };
  const submitted =
    (path: string) =>
    async (once: string): Promise<string | undefined> => {
      const { status, location, text } = await submit(`${path}/pay`, { once });
      // Who waits too long is asked to come again.
      if (status === 503) return submitted(path)(once);
      return location ?? /name="order_id" value="([^"]+)"/.exec(text)?.[1];
    };

  test.each(["at once", "in turn"] as const)("on a booking's page and by the API, %s", async (way) => {
    const { path, booking } = await visitOf();
    const before = await ordersOf();
    const onPage = await pressed(submitted(path), way);
    expect([...onPage]).toEqual([expect.stringMatching(kind === "razorpay" ? /^order_/ : /^http/)]);
    expect(await ordersOf()).toBe(before + 1);
    const byApi = await pressed(async () => {
      const answer = await repeatWhile(
        () => pay(opened.school, booking.id),
        ({ status }) => status === 503,
      );
      return JSON.stringify(answer.body.payment);
    }, way);
    expect(byApi.size).toBe(1);
    // Razorpay's order leads nowhere; the other page leads back to another one.
    const ofBoth = before + (kind === "razorpay" ? 1 : 2);
    expect(await ordersOf()).toBe(ofBoth);
    // Each is sent again as it was.
    expect([...(await pressed(submitted(path), way))]).toEqual([...onPage]);
    expect(await ordersOf()).toBe(ofBoth);
  });

  test.each(["at once", "in turn"] as const)("on an invoice's page, %s", async (way) => {
    const currency = kind === "paypal" ? "USD" : "INR";
    const seller = await openSeller(kind, [currency]);
    const { path, invoice } = await newUnpaid(seller);
    await seller.company.rows("UPDATE invoices SET currency = ? WHERE id = ?", currency, invoice.id);
    expect((await pressed(submitted(path), way)).size).toBe(1);
    expect(await ordersAt(seller.company, seller.connected)).toHaveLength(1);
  });

  test("and another after an hour, or once the gateway does not know the first any more", async () => {
    const { booking } = await visitOf();
    const press = async () => orderOf(expectStatus(await pay(opened.school, booking.id), 200));
    const first = await press();
    const change = (sets: string) =>
      opened.school.company.rows(`UPDATE payment_intents SET ${sets} WHERE ref_id = ?`, booking.id);
    await agePayments(opened.school);
    const second = await press();
    expect(await press()).toBe(second);
    expect(second).not.toBe(first);
    await change("gateway_order_id = 'gone' || id, created_at = created_at + 1");
    expect(await press()).not.toBe(second);
  });

  test("with an Idempotency-Key too, and what is opened before can be paid", async () => {
    const { booking } = await visitOf();
    const keyed = { "Idempotency-Key": `pay-${booking.id}` };
    const first = expectStatus(await pay(opened.school, booking.id), 200);
    const answers = [1, 2].map(() => pay(opened.school, booking.id, PAGES, keyed));
    for (const answer of await Promise.all(answers)) expect(answer.body).toEqual(first.body);
    await play(opened.school.company, kind, orderOf(first), "paid");
    expect(await readBooking(opened.school.company, booking.id)).toMatchObject({ payment_status: "paid" });
  });
});
