import { describe, expect, test } from "vitest";
import { formatDate } from "#shared/text/formats.ts";
import { gatewayFaults } from "../../../support/gateways.ts";
import { requestsOf } from "../../../support/round-trips.ts";
import { endAtGateway, giveBack, newRefund } from "../../refunds/refunds.ts";
import { newVisit, setRules } from "../../school.ts";
import { AT, DATE, openWithGateway } from "../bookings/gateway-school.ts";
import { leaveRefund, paidVisit } from "./paid-visit.ts";
import { said, submit, visit } from "./visitor.ts";

const SCHOOL_PAYS = [/will pay A\$75\.00 back/, /Coast Driving School आपको A\$75\.00 लौटाएगा/] as const;
const ON_ITS_WAY = [/A\$75\.00 is on its way back to you/, /A\$75\.00 आपको लौटाए जा रहे हैं/] as const;
// Half past one at night at the school: the next day there.
const PAID_BACK = [
  /A\$75\.00 was paid back to you on Wednesday,? 3 June 2037/,
  /बुधवार, 3 जून 2037 को A\$75\.00 आपको लौटा दिए गए/,
] as const;
const WILL_BE = [/A\$75\.00 will be paid back to you/, /A\$75\.00 आपको उसी तरीके से लौटाए जाएँगे/] as const;
const TAKEN = [
  /Your bank took back A\$75\.00 of your payment\./,
  /आपके बैंक ने आपके भुगतान में से A\$75\.00 वापस ले लिए।/,
] as const;
const WORDS = { SCHOOL_PAYS, WILL_BE, ON_ITS_WAY, PAID_BACK, TAKEN };

/** Expects that the page says one of these in each language, and none of the others. */
async function expectOnly(path: string, name: keyof typeof WORDS): Promise<void> {
  const pages = await said(path);
  for (const [other, words] of Object.entries(WORDS))
    for (const [place, text] of pages.entries())
      expect({ other, isSaid: words[place]?.test(text) }).toEqual({ other, isSaid: other === name });
}

describe("after a cancel the page says of the visitor's money", () => {
  test.each([
    ["SCHOOL_PAYS", []],
    ["WILL_BE", [{ status: "created" }]],
    ["ON_ITS_WAY", [{ status: "pending" }]],
    ["SCHOOL_PAYS", [{ status: "failed" }]],
    ["WILL_BE", [{ status: "failed" }, { status: "created" }]],
    ["TAKEN", [{ status: "succeeded", source: "chargeback" }]],
  ] as const)("%s for the refunds %j", async (name, refunds) => {
    const paid = await paidVisit();
    await submit(`${paid.path}/cancel`, { once: "c" });
    for (const refund of refunds) await leaveRefund(paid, refund);
    await expectOnly(paid.path, name);
  });

  test("when it was paid back, by the days of the school, and that the school pays the rest", async () => {
    const paid = await paidVisit();
    await submit(`${paid.path}/cancel`, { once: "c" });
    await leaveRefund(paid, { status: "succeeded", amount: 3_000 });
    const [english, hindi] = await said(paid.path);
    expect(english).toMatch(
      /A\$30\.00 was paid back to you on Wednesday,? 3 June 2037\. .*School will pay back the rest, A\$45\.00\./,
    );
    expect(hindi).toMatch(/A\$30\.00 आपको लौटा दिए गए।.* बाकी A\$45\.00 Coast Driving School लौटाएगा।/);
    expect(english).not.toMatch(SCHOOL_PAYS[0]);
    await leaveRefund(paid, { status: "pending", amount: 4_500 });
    expect((await said(paid.path))[0]).toMatch(/A\$30\.00 was paid .* A\$45\.00 is on its way back to you/);
    expect((await said(paid.path))[0]).not.toContain("the rest");
  });
});

describe("before a cancel the page says what goes back", () => {
  test("by the rule of a school that gives it back, until when, and nothing of the school", async () => {
    const { school } = await openWithGateway("stripe");
    await setRules(school.company, { refund_on_cancel: "full", cancel_window_hours: 12 });
    const paid = await paidVisit(AT, school);
    expect(await requestsOf(school.company, () => visit(paid.path))).toBe(1);
    const [english, hindi] = await said(paid.path);
    expect(english).toContain("Cancel at least 12 hours before the lesson starts, and you get A$75.00 back.");
    expect(english).toContain("You get A$75.00 back, the way that you paid.");
    expect(english).not.toContain("will pay");
    expect(hindi).toContain("आपको A$75.00 उसी तरीके से वापस मिलेंगे जिससे आपने भुगतान किया था।");
    await leaveRefund(paid, { status: "succeeded", amount: 1_000, source: "gateway" });
    expect((await said(paid.path))[0]).toContain("You get A$65.00 back");
    await leaveRefund(paid, { status: "pending", amount: 500 });
    const [later] = await said(paid.path);
    expect(later).not.toContain("You get");
    expect(later).toContain("Coast Driving School will pay A$60.00 back.");
    await setRules(school.company, { cancel_window_hours: 0 });
    const other = await paidVisit({ start_time: "15:00" }, school);
    expect((await said(other.path))[0]).toContain("Cancel before the lesson starts, and you get A$75.00");
    await submit(`${other.path}/cancel`, { once: "c" });
    expect((await said(other.path))[0]).toMatch(/A\$75\.00 (will be paid|is on its way|was paid) back/);
  });

  test("by the school, where it has no such rule; nothing of what was not paid or the payer's bank took", async () => {
    const paid = await paidVisit();
    const unpaid = await newVisit(paid.school, { booking_date: DATE, start_time: "15:00" });
    const [english, hindi] = await said(paid.path);
    expect(english).toContain("Coast Driving School will pay A$75.00 back.");
    expect(hindi).toMatch(SCHOOL_PAYS[1]);
    expect(english).not.toContain("you get");
    expect((await said(unpaid.path))[0]).not.toMatch(/get .* back|will pay/);
    await leaveRefund(paid, { status: "succeeded", source: "chargeback" });
    await expectOnly(paid.path, "TAKEN");
    for (const text of await said(paid.path)) expect(text).not.toMatch(/will pay|लौटाएगा/);
  });
});

describe("the page of a lesson that takes place", () => {
  test("names the part that was paid back, and what stays paid", async () => {
    const paid = await paidVisit();
    await leaveRefund(paid, { status: "succeeded", amount: 1_000 });
    const other = await paidVisit({ start_time: "15:00" }, paid.school);
    const [english, hindi] = await said(paid.path);
    expect(english).toContain("your lesson is confirmed. See you there.");
    expect(english).toMatch(/A\$10\.00 was paid back to you on [^.]+\. A\$65\.00 stays paid\./);
    expect(hindi).toContain("A$65.00 का भुगतान बना हुआ है।");
    expect((await said(other.path))[0]).not.toMatch(/paid back to you|stays paid/);
  });

  test.each(["api", "chargeback"])("does not greet as paid what went back whole: %s", async (source) => {
    const paid = await paidVisit();
    await leaveRefund(paid, { status: "succeeded", source });
    for (const status of ["paid", "refunded"]) {
      await paid.school.company.rows("UPDATE bookings SET payment_status = ?", status);
      await expectOnly(paid.path, source === "api" ? "PAID_BACK" : "TAKEN");
      const [english, hindi] = await said(paid.path);
      expect(english).toContain("your lesson is still confirmed.");
      expect(english).not.toMatch(/See you there|stays paid|Your money was paid back/);
      expect(hindi).toContain("आपकी क्लास अब भी पक्की है।");
    }
  });
});

test("the receipt of a lesson says that its money was paid back only once it was", async () => {
  const paid = await paidVisit();
  await submit(`${paid.path}/cancel`, { once: "c" });
  const ended = "ended_by = 'op', refund_number = 'RFV/1', refund_date = '2037-06-01'";
  await paid.school.company.rows(`UPDATE lesson_receipts SET ${ended}`);
  await leaveRefund(paid, { status: "pending" });
  const [english, hindi] = await said(`${paid.path}/receipt`);
  expect(english).toContain(`${paid.path}/refund-voucher">Refund voucher RFV/1</a>`);
  expect(await said(`${paid.path}/refund-voucher`)).toEqual([
    expect.stringMatching(/Monday,? 1 June 2037/),
    expect.stringContaining("रिफ़ंड की राशि"),
  ]);
  expect(english).toMatch(ON_ITS_WAY[0]);
  expect(english).not.toMatch(/paid back/i);
  expect(hindi).toMatch(ON_ITS_WAY[1]);
  expect(hindi).not.toContain("राशि लौटाई गई");
});

test("the receipt of a lesson that takes place names what its gateway gave back by itself", async () => {
  const { school, gateway } = await openWithGateway("stripe");
  await setRules(school.company, { issue_invoices: false });
  const { path } = await paidVisit(AT, school);
  expect((await said(`${path}/receipt`))[0]).not.toMatch(/paid back to you|stays paid/);
  const [capture] = await school.company.rows("SELECT gateway_payment_id AS id FROM gateway_captures");
  const desk = { company: school.company, connected: gateway };
  await giveBack(desk, String(capture?.id), { source: "console", amount: 3_000 });
  const [english, hindi] = await said(`${path}/receipt`);
  expect(english).toMatch(/A\$30\.00 was paid back to you on [^.]+\. A\$45\.00 stays paid\./);
  expect(hindi).toMatch(/A\$30\.00 आपको लौटा दिए गए। A\$45\.00 का भुगतान बना हुआ है।/);
  await setRules(school.company, { refund_on_cancel: "full" });
  expect((await said(path))[0]).toContain("you get A$45.00 back");
  await giveBack(desk, String(capture?.id), { source: "console", amount: 4_500 });
  for (const text of await said(path)) expect(text).not.toMatch(/A\$0\.00|you get|वापस मिलेंगे/i);
});

test("a refund is on its way, then paid back, and the money is due again if a bank sends it back", async () => {
  const { school, gateway } = await openWithGateway("stripe");
  const desk = { company: school.company, connected: gateway };
  const { path, id } = await paidVisit(AT, school);
  await submit(`${path}/cancel`, { once: "c" });
  await gatewayFaults(desk.company, gateway, { refund_pending: 1 });
  const refund = await newRefund(desk.company, { booking_id: id, reason: "cancellation" });
  await expectOnly(path, "ON_ITS_WAY");
  await endAtGateway(desk, refund.gateway_refund_id, "succeeded");
  const [english, hindi] = await said(path);
  const [today] = await desk.company.rows("SELECT entry_date FROM gateway_refunds");
  const date = (locale: string) => formatDate(String(today?.entry_date), locale);
  expect(english).toContain(`A$75.00 was paid back to you on ${date("en-GB")}.`);
  expect(hindi).toContain(`${date("hi-IN")} को A$75.00 आपको लौटा दिए गए।`);
  await endAtGateway(desk, refund.gateway_refund_id, "failed");
  await expectOnly(path, "SCHOOL_PAYS");
});

test("the page promises nothing of what the payer's bank took, nor once the bank gave it to the school again", async () => {
  const { school, gateway } = await openWithGateway("stripe");
  const desk = { company: school.company, connected: gateway };
  const { path } = await paidVisit(AT, school);
  const [capture] = await desk.company.rows("SELECT gateway_payment_id AS id FROM gateway_captures");
  const taken = await giveBack(desk, String(capture?.id), { source: "chargeback" });
  await expectOnly(path, "TAKEN");
  expect((await said(path))[0]).toContain("your lesson is still confirmed.");
  await endAtGateway(desk, taken.id, "reversed");
  for (const text of await said(path)) {
    expect(text).not.toMatch(/will pay your|back to you|bank took/);
    expect(text).not.toMatch(/पैसा लौटाएगा|लौटा दि|बैंक ने/);
  }
  await submit(`${path}/cancel`, { once: "c" });
  await expectOnly(path, "SCHOOL_PAYS");
});
