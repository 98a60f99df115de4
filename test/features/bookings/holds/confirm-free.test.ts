import { describe, expect, test } from "vitest";
import { expectSound } from "../../../support/oracles.ts";
import { newCustomer } from "../../commerce.ts";
import { arrived, newAddress, received } from "../../messaging/provider.ts";
import { times } from "../../money.ts";
import { onlyRules, settledLines } from "../../notifications/notified.ts";
import { refusal } from "../../refusal.ts";
import { newCourse, newPackage, readBooking, schoolCall } from "../../school.ts";
import { submit, visit } from "../page/visitor.ts";
import { CARRIER, openUsual } from "./page.ts";

const MINUTE = 60;

/** A school whose free lessons need a confirmed e-mail address, and the booking of one. */
async function openConfirming() {
  const page = await openUsual({ rules: { confirm_free: true, buffer_minutes: 0 } });
  const own = { ...page.school, courseId: await newCourse(page.company, { selling_price: 0 }) };
  const bookFree = async (email: string, time = "09:00") => {
    const customer = { name: "Mia Chen", email };
    const answer = await page.ask(7, time, { customer }, CARRIER, own);
    expect(answer.status).toBe(201);
    return answer.body;
  };
  return { ...page, own, bookFree };
}

/** The path and query of the link in a mail that confirms. */
async function linkOf(email: string): Promise<string> {
  const { html } = await arrived(email);
  const [, url = ""] = /href="([^"]*\/confirm\?[^"]*)"/.exec(html ?? "") ?? [];
  const { pathname, search } = new URL(url.replaceAll("&amp;", "&"));
  return pathname + search;
}

const fieldIn = (text: string, name: string) =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? "";

describe("a free lesson of a school that wants its e-mail address confirmed", () => {
  test("is held until the button behind the mail's link is pressed; opening the link confirms nothing", async () => {
    const { company, bookFree } = await openConfirming();
    // Whatever rules are on.
    await onlyRules(company, {});
    const email = newAddress();
    const { booking } = await bookFree(email);
    expect(booking).toMatchObject({ status: "pending", total_amount: 0 });
    const held = Date.parse(booking.hold_expires_at ?? "") - Date.now();
    expect(held).toBeGreaterThan(25 * MINUTE * 1_000);
    expect(held).toBeLessThanOrEqual(30 * MINUTE * 1_000);
    const manage = new URL(booking.manage_url ?? "").pathname;
    expect((await visit(manage)).text).toContain("we have sent you an e-mail");
    const link = await linkOf(email);
    expect(link.startsWith(`${manage}/confirm?`)).toBe(true);
    for (const _scan of [1, 2]) expect((await visit(link)).text).toContain("Confirm your lesson");
    expect((await readBooking(company, booking.id)).status).toBe("pending");

    const { text } = await visit(link);
    const fields = { once: fieldIn(text, "once"), proof: fieldIn(text, "proof") };
    const [address = ""] = link.split("?");
    // Who booked has the page's address, and not what the mail shows.
    expect(
      (await submit(address, { ...fields, once: "a".repeat(43), proof: "x".repeat(43) })).text,
    ).toContain("Confirm your e-mail address");
    expect((await readBooking(company, booking.id)).status).toBe("pending");
    for (const _time of [1, 2]) expect((await submit(address, fields)).status).toBe(303);
    expect(await readBooking(company, booking.id)).toMatchObject({
      status: "confirmed",
      hold_expires_at: null,
    });
    expect((await visit(link)).text).not.toContain('name="proof"');
    expect(await settledLines(company)).toEqual(["booking_unproven email customer sent"]);
    await expectSound(company);
  });

  test("lapses as a hold does, and is confirmed no more", async () => {
    const { company, bookFree } = await openConfirming();
    const email = newAddress();
    const { booking } = await bookFree(email);
    const link = await linkOf(email);
    const { text } = await visit(link);
    await company.clock(30 * MINUTE + 1);
    expect((await readBooking(company, booking.id)).status).toBe("expired");
    const [address = ""] = link.split("?");
    const late = { once: fieldIn(text, "once"), proof: fieldIn(text, "proof") };
    expect((await submit(address, late)).status).not.toBe(303);
    expect((await readBooking(company, booking.id)).status).toBe("expired");
    await bookFree(newAddress());
    await expectSound(company);
  });

  test("needs an e-mail address; what a server books, a package pays or costs something does not", async () => {
    const { company, school, own, ask } = await openConfirming();
    const customer = { name: "Mia Chen", phone: "0412345678" };
    expect(await ask(7, "09:00", { customer }, CARRIER, own)).toMatchObject(
      refusal(422, "validation_failed", { errors: [{ field: "customer.email", code: "required" }] }),
    );
    expect((await ask(7, "09:00", { customer })).body.booking.total_amount).toBe(75);
    const body = {
      ...{ customer, instructor_id: own.instructorId, product_id: own.courseId },
      ...{ booking_date: (await ask(8, "09:00")).body.booking.booking_date, start_time: "10:15" },
      ...{ return_url: "https://a.example/", cancel_url: "https://a.example/" },
    };
    const byServer = await schoolCall(company, "POST", "/bookings", { body });
    expect(byServer.body).toMatchObject({ booking: { status: "confirmed" }, payment: { gateway: null } });
    const learner = { ...customer, email: newAddress() };
    const { id: customer_id } = await newCustomer(company, learner);
    const { id: booking_package_id } = await newPackage(school, { customer_id });
    const prepaid = await ask(9, "09:00", { customer: learner, product_id: null, booking_package_id });
    expect(prepaid.body.booking).toMatchObject({ status: "confirmed", total_amount: 0 });
  });

  test("does not send more mails than the limits let book", async () => {
    const { company, own, ask } = await openConfirming();
    const email = newAddress();
    const customer = { name: "Victim", email };
    const answers = await times(8, (day) => ask(7 + day, "09:00", { customer }, CARRIER, own));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    await settledLines(company);
    expect((await received(email)).length).toBeLessThanOrEqual(6);
  });
});
