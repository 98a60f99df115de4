import { expect, test } from "vitest";
import { gatewayFaults, play, redirectEvents } from "../../../support/gateways.ts";
import { newVisit, readBooking } from "../../school.ts";
import { AT, agePayments, openWithGateway } from "../bookings/gateway-school.ts";
import { change } from "../money/books.ts";
import { openPayment, submit, visit } from "./visitor.ts";

const TWICE = "You paid for this lesson more than once.";

test("the page reports a payment in two windows, until the school has reviewed it", async () => {
  const { school } = await openWithGateway("stripe");
  const { path, booking } = await newVisit(school, AT);
  const first = await openPayment(path, "first");
  await agePayments(school);
  const orders = [first, await openPayment(path, "second")];
  for (const [paid, order] of orders.entries()) {
    expect((await visit(path)).text).not.toContain(TWICE);
    expect((await play(school.company, "stripe", order, "paid")).payment_ids).toHaveLength(1);
    if (paid === 0) expect((await visit(path)).text).toContain("your lesson is confirmed");
  }
  expect((await visit(path)).text).toContain(TWICE);
  expect((await visit(`${path}?lang=hi`)).text).toContain("एक से ज़्यादा बार");
  await change(school.company, booking.id, { needs_review: false });
  expect((await visit(path)).text).not.toContain(TWICE);
});

test("a payment without an event is not asked for again: the gateway is asked first", async () => {
  const { school, gateway } = await openWithGateway("stripe");
  const { path, booking } = await newVisit(school, AT);
  const order = await openPayment(path, "first");
  // Nothing listens there.
  await redirectEvents(school.company, gateway, "http://127.0.0.1:9");
  await play(school.company, "stripe", order, "paid");
  expect((await visit(path)).text).toContain("Pay now");
  const again = await submit(`${path}/pay`, { once: "second" });
  expect({ status: again.status, location: again.location }).toEqual({ status: 409, location: null });
  expect(again.text).toContain("This lesson is paid already.");
  expect(again.text).toContain("your lesson is confirmed");
  expect(await readBooking(school.company, booking.id)).toMatchObject({ payment_status: "paid" });
  const intents = "SELECT count(*) AS n FROM payment_intents";
  expect(await school.company.rows(intents)).toEqual([{ n: 1 }]);
});

test("a gateway that does not answer that question blocks no payment", async () => {
  const { school, gateway } = await openWithGateway("stripe");
  const { path } = await newVisit(school, AT);
  await openPayment(path, "first");
  await school.company.rows("UPDATE payment_intents SET gateway_order_id = 'cs_unknown'");
  const second = await openPayment(path, "second");
  await gatewayFaults(school.company, gateway, { refused_call: 1 });
  expect(await openPayment(path, "third")).toBe(second);
  await agePayments(school);
  expect(await submit(`${path}/pay`, { once: "fourth" })).toMatchObject({ status: 400 });
});

test("after a payment of another amount the page invites to no payment, and says how to reach the school", async () => {
  const { school } = await openWithGateway("stripe");
  const { path, booking } = await newVisit(school, AT);
  const reach = { phone: "02 9000 0000", email: "desk@school.example" };
  await school.company.change("/settings/:company/profile", reach);
  expect((await visit(path)).text).toContain("Pay to confirm the lesson.");
  await play(school.company, "stripe", await openPayment(path), "wrong_amount");
  const { text } = await visit(`${path}?paid=0`);
  const notice =
    />You paid another amount than the price of this lesson\. Please contact .+? before you pay again\.(.*?)<\/p>/;
  const [, links] = notice.exec(text) ?? [];
  expect(links).toContain('<a href="tel:0290000000">02 9000 0000</a>');
  expect(links).toContain('<a href="mailto:desk@school.example">desk@school.example</a>');
  for (const invitation of ["Pay to confirm", "Pay now", "Payment needed", "Payment on its way"])
    expect(text).not.toContain(invitation);
  expect(text).toMatch(/we keep this time for you until \d\d:\d\d \(\w+\/\w+\)\./);
  const hindi = (await visit(`${path}?lang=hi`)).text;
  expect(hindi).toContain("इस क्लास की राशि से अलग राशि का भुगतान किया है");
  expect(hindi).toContain("mailto:desk@school.example");
  for (const invitation of ["भुगतान करें।", "अभी भुगतान करें", "भुगतान बाकी है"])
    expect(hindi).not.toContain(invitation);

  expect(await readBooking(school.company, booking.id)).toMatchObject({ payment_status: "unpaid" });
  await change(school.company, booking.id, { needs_review: false });
  expect((await visit(path)).text).toContain("Pay now");
});

test("once a lesson with a payment of another amount is cancelled, the page says that the school pays it back", async () => {
  const { school } = await openWithGateway("stripe");
  const { path } = await newVisit(school, AT);
  await play(school.company, "stripe", await openPayment(path), "wrong_amount");
  await submit(`${path}/cancel`, { once: "c" });
  expect((await visit(path)).text).toMatch(
    /another amount than the price of this lesson\..* will pay A\$74\.99 back\./s,
  );
  expect((await visit(`${path}?lang=hi`)).text).toMatch(
    /अलग राशि का भुगतान किया है।.* आपको A\$74\.99 लौटाएगा।/s,
  );
});

test("who has moved a lesson comes back to a page that says so", async () => {
  const { school } = await openWithGateway("stripe");
  const { path } = await newVisit(school, AT);
  const form = { once: "m", booking_date: AT.booking_date, start_time: "15:00" };
  const { location } = await submit(`${path}/move`, form);
  const { pathname, search } = new URL(String(location));
  expect((await visit(pathname + search)).text).toContain("The lesson has moved to this time.");
  expect((await visit(path)).text).not.toContain("has moved");
});
