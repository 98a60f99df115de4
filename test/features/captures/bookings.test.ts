import { expect, test } from "vitest";
import { must } from "../../support/company.ts";
import { play } from "../../support/gateways.ts";
import { expectSound } from "../../support/oracles.ts";
import { AT, openWithGateway, orderOf, pay } from "../bookings/bookings/gateway-school.ts";
import { refusal } from "../refusal.ts";
import { newBooking, readBooking } from "../school.ts";
import { balancesOf, capturesOf } from "./captures.ts";

test("the trial balance shows what came for a booking: another amount, and a second payment", async () => {
  const { school } = await openWithGateway();
  const { company } = school;
  const first = await newBooking(school, AT);
  const price = first.total_amount;
  await play(company, "razorpay", orderOf(await pay(school, first.id)), "wrong_amount");
  const other = price - 0.01;
  expect(await capturesOf(company)).toEqual([`mismatch ${price * 100 - 1} advance ${price * 100 - 1}`]);
  expect(await balancesOf(company)).toEqual({ "Razorpay Clearing": other, "Customer Advances": -other });
  expect(await readBooking(company, first.id)).toMatchObject({ payment_status: "unpaid" });

  const second = await newBooking(school, { ...AT, start_time: "14:00" });
  await play(company, "razorpay", orderOf(await pay(school, second.id)), "twice");
  expect((await capturesOf(company)).slice(1)).toEqual([
    `paid ${price * 100} invoiced 0`,
    `duplicate_payment ${price * 100} advance ${price * 100}`,
  ]);
  const shown = await balancesOf(company);
  expect(shown).toMatchObject({ "Customer Advances": -(price + other) });
  expect(shown["Razorpay Clearing"]).toBe(2 * price + other);
  await expectSound(company);

  // Each of the two is settled by hand, and only what the booking was sold for is left.
  for (const id of ["1", "3"]) {
    const body = { outside_reference: `rfnd_${id}` };
    must(await company.call("POST", `/ledger/:company/captures/${id}/settle`, { body }), 200);
  }
  const held = { body: { outside_reference: "rfnd_2" } };
  expect(await company.call("POST", "/ledger/:company/captures/2/settle", held)).toMatchObject(
    refusal(409, "invalid_status"),
  );
  const after = await balancesOf(company);
  expect(after["Razorpay Clearing"]).toBe(price);
  expect(after).not.toHaveProperty("Customer Advances");
  await expectSound(company);
});
