import { expect, test } from "vitest";
import type * as z from "zod";
import type { bookingPackage } from "../../../src/features/bookings/packages/record.ts";
import { must } from "../../support/company.ts";
import { play } from "../../support/gateways.ts";
import { expectSound } from "../../support/oracles.ts";
import { DATE, lineOf, openShop, PAGES } from "../bookings/packages/package-shop.ts";
import { newCustomer } from "../commerce.ts";
import { book, browserOf, expectStatus, newPackage, type School, schoolCall } from "../school.ts";
import { gatewayOrderOf, placeOrder } from "../storefront/shop.ts";
import { bookedBy, cancelledBy, twoPeople } from "./two-people.ts";

type Package = z.infer<typeof bookingPackage.schema>;
type Browser = Awaited<ReturnType<typeof browserOf>>;

async function listed({ company }: School, query: string): Promise<number[]> {
  const answer = await schoolCall<{ packages: Package[] }>(company, "GET", `/packages?${query}`);
  return expectStatus(answer, 200).body.packages.map(({ id }) => id);
}

async function onlyPackage({ company }: School): Promise<Package> {
  const [found, ...others] = await company.read<Package[]>("/settings/:company/booking-packages");
  expect(others).toEqual([]);
  return found as Package;
}

/** Asks from a browser for a lesson that the package pays. */
const use = (school: School, browser: Browser, id: number, customer: object, start_time = "14:00") =>
  book(
    school,
    { booking_date: DATE, start_time, product_id: undefined, booking_package_id: id, customer },
    browser,
  );
const REFUSED = { status: 422, body: { code: "package_not_found" } };

/** He booked with her phone number before, so the customer that her purchase matches is of his e-mail address. */
async function bothCame() {
  const opened = await openShop();
  const people = twoPeople();
  const browser = await browserOf(opened.company);
  const at = { booking_date: DATE, start_time: "16:00", customer: people.him };
  const { id } = (await bookedBy(opened.school, browser, at)).booking;
  await cancelledBy(opened.school, browser, id);
  return { ...opened, ...people, browser };
}

test("a package that she bought in the shop is hers by what she typed, not of whom that matches", async () => {
  const { school, company, packageId, browser, him, her } = await bothCame();
  const customer = { ...her, country: "IN" };
  const placed = await placeOrder(company, { items: [lineOf(packageId)], customer });
  await play(company, "razorpay", gatewayOrderOf(placed), "paid");
  const bought = await onlyPackage(school);
  expect(bought).toMatchObject({ customer_confirmed: false, order_id: placed.order_id });
  expect(await use(school, browser, bought.id, him)).toMatchObject(REFUSED);
  expect(await listed(school, `customer_email=${him.email}`)).toEqual([]);
  expect(await listed(school, `customer_email=${her.email}`)).toEqual([bought.id]);
  expectStatus(await use(school, browser, bought.id, her), 201);
  await expectSound(company);
});

test("a package that she bought with her first lesson is hers by what she typed", async () => {
  const { school, company, packageId, browser, him, her } = await bothCame();
  const first = { booking_date: DATE, start_time: "10:00", product_id: packageId, ...PAGES, customer: her };
  const { booking, payment } = await bookedBy(school, browser, first);
  await play(company, "razorpay", String(payment.payment_data?.gateway_order_id), "paid");
  const bought = await onlyPackage(school);
  expect(bought).toMatchObject({ customer_confirmed: false, booking_id: booking.id });
  expect(await use(school, browser, bought.id, him)).toMatchObject(REFUSED);
  expect(await listed(school, `customer_email=${him.email}`)).toEqual([]);
  expectStatus(await use(school, browser, bought.id, her), 201);

  const path = `/settings/:company/bookings/${booking.id}/customer`;
  must(await company.call("POST", path, { body: { customer_id: null } }), 200);
  const parted = await onlyPackage(school);
  expect(parted).toMatchObject({ customer_confirmed: true });
  expect(parted.customer_id).not.toBe(bought.customer_id);
  await expectSound(company);
});

test("staff say whose package it is: from then on it is the customer's, too", async () => {
  const { school, company, packageId, browser, her } = await bothCame();
  const customer = { name: her.name, email: her.email, country: "IN" };
  const placed = await placeOrder(company, { items: [lineOf(packageId)], customer });
  await play(company, "razorpay", gatewayOrderOf(placed), "paid");
  const bought = await onlyPackage(school);
  const known = await newCustomer(company, { name: "Mia Chen", email: "mia@work.example", phone: her.phone });
  const atWork = { name: "Mia", email: "mia@work.example", phone: her.phone };
  // The order named no phone, so no browser proves that it is hers.
  expect(await use(school, browser, bought.id, her)).toMatchObject(REFUSED);
  expect(await use(school, browser, bought.id, atWork)).toMatchObject(REFUSED);
  const path = `/settings/:company/booking-packages/${bought.id}`;
  const told = await company.call<Package>("PATCH", path, { body: { customer_id: known.id } });
  expect(must(told, 200).body.data).toMatchObject({ customer_id: known.id, customer_confirmed: true });
  expectStatus(await use(school, browser, bought.id, atWork), 201);
  expect(await company.call("PATCH", path, { body: { customer_id: "999999" } })).toMatchObject({
    status: 422,
  });
  await expectSound(company);
});

test("a package that staff gave is used from a browser by its customer's e-mail address and phone, both", async () => {
  const { school, company, browser, him, her } = await bothCame();
  const { id: customer_id } = await newCustomer(company, her);
  const given = await newPackage(school, { customer_id });
  expect(given.customer_confirmed).toBe(true);
  for (const customer of [him, { name: "X", phone: her.phone }, { name: "X", email: her.email }])
    expect(await use(school, browser, given.id, customer)).toMatchObject(REFUSED);
  expectStatus(await use(school, browser, given.id, her), 201);
});
