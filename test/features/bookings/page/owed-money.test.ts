import { describe, expect, test } from "vitest";
import { must } from "../../../support/company.ts";
import { endAtGateway, endNext, giveBack, postRefund, type Shop, sentBackOf } from "../../refunds/refunds.ts";
import { saleOf } from "../../refunds/sales.ts";
import { newVisit, setRules } from "../../school.ts";
import { AT, openWithGateway } from "../bookings/gateway-school.ts";
import { change } from "../money/books.ts";
import { paidVisit } from "./paid-visit.ts";
import { visit } from "./visitor.ts";

/** The page without its styles and tags. */
function wordsOf({ text }: { text: string }): string {
  return text.slice(text.indexOf("<main")).replace(/<[^>]+>/g, " ");
}

/** A lesson of 75.00 that its visitor paid, and what its page and `/due` say of the money. */
async function lesson(outcome: "paid" | "twice" = "paid", issue_invoices = true) {
  const { school, gateway: connected } = await openWithGateway("stripe");
  const { company } = school;
  const shop: Shop = { company, connected };
  await setRules(company, { issue_invoices });
  const { path, id } = await paidVisit(AT, school, outcome);
  const sale = await saleOf(shop, "booking", id);
  return {
    ...sale,
    text: async () => wordsOf(await visit(path)),
    due: async () =>
      (await company.read<{ amount: number }[]>("/refunds/:company/due")).reduce(
        (sum, { amount }) => sum + amount,
        0,
      ),
    mark: async (body: object) => must(await sale.patch(body), 200),
    refund: (fields: object = {}) => sale.refund({ reason: "cancellation", ...fields }),
    /** The next refund of the first payment fails. */
    failNext: () => endNext(shop, sale.payments[0]?.payment, "failed"),
  };
}
type Lesson = Awaited<ReturnType<typeof lesson>>;

async function expectOwed(one: Lesson, owed: number, said: RegExp): Promise<void> {
  expect(await one.due()).toBe(owed);
  expect(await one.text()).toMatch(said);
}

describe("of a cancelled lesson the page names what is due as the API lists it", () => {
  test.each([
    [0, 10, 140],
    [1, 10, 140],
    [0, 75, 75],
    [1, 75, 75],
  ])("paid twice, the console gave of payment %i %i", async (place, amount, owed) => {
    const one = await lesson("twice");
    await one.cancel();
    await expectOwed(one, 150, /School will pay A\$150\.00 back\./);
    await one.console(amount, place);
    await expectOwed(
      one,
      owed,
      new RegExp(`A\\$${amount}\\.00 was paid back to you on .*will pay back the rest, A\\$${owed}\\.00\\.`),
    );
    expect(await one.text()).not.toContain("other payment");
  });

  test("paid twice, a part of both payments went back by a call", async () => {
    const one = await lesson("twice");
    await one.cancel();
    await one.refund({ amount: 100 });
    await expectOwed(one, 50, /will pay back the rest, A\$50\.00\./);
  });

  test("a receipt that was paid out by bank, but for what the console gave, and a bank sent that back", async () => {
    const one = await lesson("paid", false);
    await one.cancel();
    const { id } = await one.console(30);
    await one.failNext();
    expect(await one.refund()).toMatchObject({ status: "failed", amount: 45 });
    await one.mark({ payment_status: "refunded", payment_mode_id: 2 });
    await endAtGateway(one.shop, id, "failed");
    await expectOwed(
      one,
      30,
      /A\$45\.00 was paid back to you on [^.]+\..* will pay back the rest, A\$30\.00\./s,
    );
  });
});

describe("of a lesson that takes place the page names what is owed, and what stays paid without it", () => {
  test("a part whose refund failed", async () => {
    const one = await lesson();
    await one.failNext();
    expect(await one.refund({ amount: 30 })).toMatchObject({ status: "failed" });
    await expectOwed(one, 30, /School will pay A\$30\.00 back\. A\$45\.00 stays paid\./);
  });

  test("all of it, of which a note's part failed", async () => {
    const one = await lesson();
    const note = await one.note(20);
    await one.failNext();
    expect(await one.refund()).toMatchObject({ status: "failed", amount: 20, credit_note_id: note.id });
    await expectOwed(one, 20, /A\$55\.00 was paid back .*will pay back the rest, A\$20\.00\./);
    expect(await one.text()).toContain("your lesson is still confirmed.");
    expect(await one.text()).not.toContain("stays paid");
    expect(await one.read()).toMatchObject({ status: "confirmed", payment_status: "refund_due" });
    await one.refund();
    expect(await one.read()).toMatchObject({ status: "confirmed", payment_status: "refunded" });
    expect(await one.due()).toBe(0);
  });

  test("all of it, which was refused beside a chargeback of a part", async () => {
    const one = await lesson();
    await giveBack(one.shop, one.payments[0]?.payment ?? "", { source: "chargeback", amount: 3_000 });
    await one.failNext();
    expect(await one.refund()).toMatchObject({ status: "failed", amount: 45 });
    await expectOwed(one, 45, /bank took back A\$30\.00 of your payment/);
    expect(await one.text()).toMatch(/will pay back the rest, A\$45\.00\./);
    expect(await one.text()).not.toContain("stays paid");
  });

  test("unused credit of a lesson whose second payment is back", async () => {
    const one = await lesson("twice");
    await one.refund({ reason: "duplicate_payment" });
    expect(await one.text()).toMatch(/A\$75\.00 was paid back to you on [^.]+\. A\$75\.00 stays paid\./);
    await one.note(20);
    await expectOwed(one, 20, /School will pay A\$20\.00 back\. A\$55\.00 stays paid\./);
  });

  test("what another payment is less, of which the console gave a part of the first", async () => {
    const one = await lesson("twice");
    await expectOwed(one, 75, /more than once\..* School will pay A\$75\.00 back\. A\$75\.00 stays paid\./s);
    await one.console(10);
    await expectOwed(one, 65, /School will pay A\$65\.00 back\. A\$75\.00 stays paid\./);
    await one.console();
    await expectOwed(
      one,
      0,
      /confirmed\. See you there\..*A\$75\.00 was paid back .* A\$75\.00 stays paid\./s,
    );
  });

  test("a chargeback that is reversed after the lesson was marked as refunded", async () => {
    const one = await lesson("paid", false);
    const { id } = await giveBack(one.shop, one.payments[0]?.payment ?? "", { source: "chargeback" });
    await one.mark({ payment_status: "refunded" });
    expect(await one.text()).not.toContain("will pay");
    await endAtGateway(one.shop, id, "reversed");
    expect(await one.read()).toMatchObject({ status: "confirmed", payment_status: "refund_due" });
    await expectOwed(one, 75, /your lesson is still confirmed\..*School will pay A\$75\.00 back\./s);
  });
});

test("of what a school took by hand the page promises the price once it is cancelled", async () => {
  const { school } = await openWithGateway("stripe");
  const { company } = school;
  const { path, booking } = await newVisit(school, AT);
  await change(company, booking.id, { status: "confirmed", payment_status: "paid", payment_mode_id: 1 });
  must(await company.call("POST", `/settings/:company/bookings/${booking.id}/cancel`, { body: {} }), 200);
  expect(wordsOf(await visit(path))).toContain("School will pay A$75.00 back.");
  const refused = await postRefund(company, { booking_id: booking.id, reason: "cancellation" });
  expect(refused).toMatchObject({ status: 422, body: { code: "refund_exceeds_payment" } });
});

describe("a late failure", () => {
  test("of a second payment's refund is reviewed, and the page says that the money comes back", async () => {
    const one = await lesson("twice");
    await one.refund({ reason: "duplicate_payment" });
    expect(await one.read()).toMatchObject({ needs_review: false });
    const [sent] = await sentBackOf(one.shop, one.payments[1]?.payment ?? "");
    await endAtGateway(one.shop, sent?.id ?? "", "failed");
    expect(await one.read()).toMatchObject({ payment_status: "paid", needs_review: true });
    await expectOwed(one, 75, /more than once\..* School will pay A\$75\.00 back\. A\$75\.00 stays paid\./s);
    await one.refund({ reason: "duplicate_payment" });
    expect(await one.read()).toMatchObject({ payment_status: "paid", needs_review: false });
    expect(await one.due()).toBe(0);
  });

  test.each([
    ["console", "failed"],
    ["chargeback", "reversed"],
  ] as const)("of a %s beside money that was given back by bank owes nothing", async (source, outcome) => {
    const one = await lesson();
    await one.cancel();
    await one.mark({ payment_status: "refunded", payment_mode_id: 2 });
    const { id } = await giveBack(one.shop, one.payments[0]?.payment ?? "", { source });
    expect(await one.read()).toMatchObject({ payment_status: "refunded" });
    await endAtGateway(one.shop, id, outcome);
    expect(await one.read()).toMatchObject({
      ...{ payment_status: "refunded", needs_review: false, refunded_amount: 0 },
      captures: [{ state: "settled" }],
    });
    expect(await one.due()).toBe(0);
    expect(await one.text()).not.toContain("will pay");
  });
});
