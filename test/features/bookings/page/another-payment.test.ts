import { expect, test } from "vitest";
import { play } from "../../../support/gateways.ts";
import { giveBack, paymentsOf } from "../../refunds/refunds.ts";
import { newVisit } from "../../school.ts";
import { AT, DATE, openWithGateway, orderOf, pay } from "../bookings/gateway-school.ts";
import { visit } from "./visitor.ts";

test("of a lesson that another payment stands for the page says that it stays paid", async () => {
  const { school, gateway } = await openWithGateway();
  const desk = { company: school.company, connected: gateway };
  const { path, booking } = await newVisit(school, { booking_date: DATE, start_time: AT.start_time });
  await play(school.company, "razorpay", orderOf(await pay(school, booking.id)), "twice");
  const [first] = await paymentsOf(school.company, "booking", booking.id);
  await giveBack(desk, first?.payment ?? "", { source: "console" });
  const { text: english } = await visit(path);
  expect(english).toContain("your lesson is confirmed. See you there.");
  expect(english).toMatch(/₹75\.00 was paid back to you on [^.]+\. ₹75\.00 stays paid\./);
});
