import { describe, expect, onTestFinished, test } from "vitest";
import { expectSound } from "../../../support/oracles.ts";
import { book, expectStatus, newBooking, offered, readBooking } from "../../school.ts";
import { AT, DATE, HOLD_SECONDS, openWithGateway, pay } from "./gateway-school.ts";

/** A hold of a school of its own. */
async function held() {
  const { school } = await openWithGateway();
  const { company } = school;
  onTestFinished(() => expectSound(company));
  return { school, company, id: (await newBooking(school, AT)).id };
}

describe("a hold", () => {
  test("that ran out gives the slot to others, and is marked by the company's clock", async () => {
    const { school, company, id } = await held();
    expect(await offered(school, DATE)).not.toContain("10:00");
    await company.clock(HOLD_SECONDS + 1);
    expect(await readBooking(company, id)).toMatchObject({ status: "expired", hold_expires_at: null });
    expect(await offered(school, DATE)).toContain("10:00");
    const status = async () =>
      (await company.rows("SELECT status FROM bookings WHERE id = ?", id))[0]?.status;
    await expect.poll(status, { timeout: 10_000, interval: 50 }).toBe("expired");
    expect(await readBooking(company, id)).toMatchObject({ status: "expired", hold_expires_at: null });
    await newBooking(school, AT);
  });

  test("that ran out is taken again by /pay while the slot is free", async () => {
    const { school, company, id } = await held();
    await company.clock(HOLD_SECONDS + 1);
    expectStatus(await pay(school, id), 200);
    expect((await readBooking(company, id)).status).toBe("pending");
    expect(await book(school, AT)).toMatchObject({ status: 409, body: { code: "slot_unavailable" } });
  });

  test("whose slot is another's by then is not: /pay is 409", async () => {
    const { school, company, id } = await held();
    await company.clock(HOLD_SECONDS + 1);
    await newBooking(school, AT);
    expect(await pay(school, id)).toMatchObject({ status: 409, body: { code: "slot_unavailable" } });
    expect((await readBooking(company, id)).status).toBe("expired");
  });

  test("is renewed by /pay once: after that it can be paid while it lasts, and no longer", async () => {
    const { school, company, id } = await held();
    const holdEnds = async () => Date.parse((await readBooking(company, id)).hold_expires_at ?? "");
    const first = await holdEnds();
    await company.clock(600);
    expect((await pay(school, id)).status).toBe(200);
    const second = await holdEnds();
    expect(second - first).toBeGreaterThan(590_000);
    await company.clock(1_200);
    expect((await pay(school, id)).status).toBe(200);
    expect(await holdEnds()).toBe(second);
    await company.clock(600 + HOLD_SECONDS + 1);
    expect(await pay(school, id)).toMatchObject({ status: 409, body: { code: "invalid_status" } });
    expect((await book(school, AT)).status).toBe(201);
  });
});
