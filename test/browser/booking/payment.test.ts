import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { book, readBooking } from "../../features/school.ts";
import { openSchoolSite, setEvening } from "./school.ts";
import { useSchoolSite } from "./use-school-site.ts";
import { Visitor } from "./visitor.ts";

const place = useSchoolSite();

function arrive(query = ""): Promise<Visitor> {
  return Visitor.arrive(place.browser, place.school.site.page + query);
}

test("a payment that fails is shown, and can be made again", async () => {
  const visitor = await arrive();
  await visitor.toForm();
  expect(await visitor.text()).toContain("Give an email address or a phone number. One is enough.");
  await visitor.book();
  await visitor.seesPayment();
  await visitor.page.getByRole("button", { name: "The payment fails" }).click();
  await visitor.sees("Your time is held");
  expect(await visitor.widget.getByRole("alert").textContent()).toBe(
    "The payment did not go through. You can try again.",
  );
  await visitor.button("Pay A$75.00").click();
  await visitor.seesPayment();
});

test("who comes back from the payment without the tab's storage sees the booking as it is now", async () => {
  for (const isPaid of [true, false]) {
    const visitor = await arrive();
    await visitor.page.addInitScript(
      `Object.defineProperty(window, "sessionStorage", { get: () => { throw new Error("blocked"); } });`,
    );
    await visitor.toPayment();
    if (!isPaid) {
      await visitor.callPaymentOff();
      expect(await visitor.text()).toContain("The payment did not go through.");
      await visitor.button("Pay A$75.00").click();
    }
    await visitor.pay();
    await visitor.sees("Your lesson is booked");
    await visitor.page.reload();
    await visitor.sees("Your lesson is booked");
    await visitor.button("Book another lesson").click();
    await visitor.sees("Which lesson would you like?");
    expect(visitor.page.url()).toBe(place.school.site.page);
  }
});

test("a payment that is called off leaves the time held, to be paid for later or lost when the hold ends", async () => {
  const visitor = await arrive();
  await visitor.toPayment();
  await visitor.callPaymentOff();
  expect(await visitor.widget.getByRole("timer").textContent()).toMatch(/^Held for another 1[0-5]:\d\d\.$/);
  await visitor.button("Pay A$75.00").click();
  await visitor.callPaymentOff();
  await place.school.company.clock(20 * 60);
  await visitor.button("Check again").click();
  await visitor.sees("The time is no longer held");
  await visitor.button("Choose a time").click();
  await visitor.sees("When does it suit you?");
  await place.school.company.clock(0);
});

test("who pays too late for a time that is another's by then sees that the money is due back", async () => {
  const { company, lesson, mei } = place.school;
  await setEvening(company);
  const visitor = await arrive();
  await visitor.toPayment();
  const { booking_date, start_time } = await readBooking(
    company,
    (await place.school.bookings()).at(-1)?.id ?? "",
  );
  await setEvening(company, "10:30");
  const customer = { name: "Ravi Iyer", email: `ravi-${randomUUID()}@example.com` };
  const other = { customer, booking_date, start_time };
  const answer = await book({ company, instructorId: mei, courseId: lesson }, other);
  expect(answer.status).toBe(201);
  await visitor.pay();
  await visitor.sees("This booking is cancelled");
  expect(await visitor.text()).toContain("A$75.00, to be refunded");
  await company.clock(0);
});

test("the page does not say to a payer that nothing was charged while the report of it is on its way", async () => {
  const visitor = await arrive();
  await visitor.toPayment();
  const booking = (await place.school.bookings()).at(-1);
  await place.school.company.clock(20 * 60);
  const back = await arrive(`?booking=${booking?.id}&booking_payment=made`);
  await back.sees("Checking your payment…");
  await visitor.pay();
  await back.sees("Your lesson is booked");
  await place.school.company.clock(0);
});

test("who comes with the id of an unpaid booking waits until its payment is known", async () => {
  const visitor = await arrive();
  await visitor.toPayment();
  const booking = (await place.school.bookings()).at(-1);
  const other = await arrive(`?booking=${booking?.id}`);
  await other.sees("Checking your payment…");
  await visitor.pay();
  await other.sees("Your lesson is booked");
});

test("where nothing takes the payment online, the school confirms", async () => {
  const cash = await openSchoolSite({ gateway: null });
  const visitor = await Visitor.arrive(place.browser, cash.site.page);
  await visitor.toForm();
  await visitor.book();
  await visitor.sees("We have your request");
  expect(await visitor.button(/^Pay/).count()).toBe(0);

  // Who comes by the booking's address on another day, or on another device, reads the same.
  const [booking] = await cash.bookings();
  const later = await Visitor.arrive(place.browser, `${cash.site.page}?booking=${booking?.id}`);
  await later.sees("We have your request");
  expect(await later.text()).toContain("Nothing is to be paid online");
  expect(await later.text()).not.toMatch(/\d:\d\d:\d\d|Held for/);
  expect(await later.button(/^Pay/).count()).toBe(0);
  cash.close();
});
