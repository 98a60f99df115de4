import { expect, test } from "vitest";
import { rowsOf } from "../../commerce.ts";
import { newVisit, openSchool, SYDNEY } from "../../school.ts";
import { AT } from "../bookings/gateway-school.ts";
import { visit } from "./visitor.ts";

test("a booking of an earlier version has a page too: the database gives it a token", async () => {
  const school = await openSchool(SYDNEY);
  const { booking } = await newVisit(school, AT);
  await rowsOf(school.company, "UPDATE bookings SET public_token = NULL");
  const columns =
    "operation, booking_number, customer_id, instructor_id, product_id, booking_date, start_time, end_time, timezone, payment_status, total_amount, currency, checked_at, created_at, updated_at";
  await rowsOf(
    school.company,
    `INSERT INTO bookings (id, status, start_at, end_at, ${columns}) SELECT 'bkg_old', 'confirmed', start_at + 86400000, end_at + 86400000,
      ${columns.replace("operation", "'old'").replace("booking_number", "'OLD-1'")} FROM bookings WHERE id = ?`,
    [booking.id],
  );
  const [old] = await rowsOf(
    school.company,
    "SELECT public_token, confirmed_at FROM bookings WHERE id = 'bkg_old'",
  );
  expect(old).toEqual({
    public_token: expect.stringMatching(/^[0-9a-f]{43}$/),
    confirmed_at: expect.any(Number),
  });
  expect((await visit(`/b/${school.company.slug}/${old?.public_token}`)).status).toBe(200);
});

test("housekeeping gives bookings from before there were tokens theirs, and staff see the address then", async () => {
  const { company, ...school } = await openSchool(SYDNEY);
  const { booking } = await newVisit({ company, ...school }, AT);
  await rowsOf(company, "UPDATE bookings SET public_token = NULL");
  const path = `/settings/:company/bookings/${booking.id}`;
  expect((await company.call("GET", path)).body.data).toMatchObject({ manage_url: null });
  await company.sweep(
    async () =>
      (await rowsOf(company, "SELECT 1 AS left FROM bookings WHERE public_token IS NULL")).length === 0,
  );
  const address = `/b/${company.slug}/`;
  expect((await company.call("GET", path)).body.data).toMatchObject({
    manage_url: expect.stringMatching(`${address}[0-9a-f]{43}$`),
  });
});
