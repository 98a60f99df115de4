import { describe, expect, test } from "vitest";
import { must } from "../../../support/company.ts";
import { play } from "../../../support/gateways.ts";
import { expectSound } from "../../../support/oracles.ts";
import { REGISTERED, setClock } from "../../commerce.ts";
import { byAmount, newNote, voidNote } from "../../credit-notes/notes.ts";
import {
  book,
  expectStatus,
  newBooking,
  newCourse,
  openSchool,
  type School,
  SYDNEY,
  schoolCall,
  setRules,
} from "../../school.ts";
import { DATE, openWithGateway, orderOf, PAGES } from "../bookings/gateway-school.ts";
import { visit } from "../page/visitor.ts";
import { balances, change, untilEarned } from "./books.ts";

const at = (hour: number) => ({ booking_date: DATE, start_time: `${String(hour).padStart(2, "0")}:00` });

async function bookAndPay(school: School, fields: object): Promise<string> {
  const answer = expectStatus(await book(school, { ...fields, ...PAGES }), 201);
  await play(school.company, "razorpay", orderOf(answer), "paid");
  return answer.body.booking.id;
}

const newThreeLessons = ({ company, courseId }: School) =>
  newCourse(company, {
    name: "Three lessons",
    ...{ selling_price: 1_180, tax_rate: 18, price_includes_tax: true },
    ...{ is_package: true, sessions: 3, lesson_product_id: courseId, package_days: 30 },
  });

const register = ({ company }: School) => company.change("/settings/:company/profile", REGISTERED);

test("a school that is not registered posts a payment without tax, earns it when the lesson is given, and reverses it when it is paid back", async () => {
  const { school } = await openWithGateway();
  const { company } = school;
  const given = await bookAndPay(school, at(10));
  const { id: byHand } = await newBooking(school, at(12));
  await change(company, byHand, { status: "confirmed", payment_status: "paid" });
  expect(await balances(company)).toEqual({
    cash: 75_00,
    razorpay_clearing: 75_00,
    unearned_lesson_income: -150_00,
  });
  await change(company, byHand, { payment_status: "paid" });

  const page = new URL(String((await change(company, given, { needs_review: false })).manage_url)).pathname;
  const shown = await visit(`${page}/receipt?lang=hi`);
  expect(shown.text).toContain("RV/");
  expect(shown.text).toContain("रसीद");
  expect(shown.text).not.toContain("CGST");
  expect((await visit(page)).text).toContain(`${page}/receipt`);

  await setClock(company, `${DATE}T20:00:00+05:30`);
  await change(company, given, { status: "completed" });
  await untilEarned(company, 1);
  expect(await balances(company)).toMatchObject({ lesson_income: -75_00, unearned_lesson_income: -75_00 });
  await change(company, byHand, { status: "cancelled" });
  expect(await balances(company)).toMatchObject({ unearned_lesson_income: -75_00 });
  await change(company, byHand, { payment_status: "refunded" });
  await change(company, given, { payment_status: "refunded" });
  expect(await balances(company)).toEqual({});
  expect((await visit(`${page}/receipt`)).text).toContain("no longer counts");
  await expectSound(company);
});

describe("a registered school", async () => {
  const { school } = await openWithGateway();
  await register(school);
  const packageId = await newThreeLessons(school);

  test("issues the invoice by the payment; its lessons are unearned until each is given, or the package lapses", async () => {
    const { company } = school;
    const first = await bookAndPay(school, { ...at(9), product_id: packageId });
    const held = { output_cgst: -90_00, output_sgst: -90_00, razorpay_clearing: 1_180_00 };
    expect(await balances(company)).toEqual({ ...held, unearned_lesson_income: -1_000_00 });
    const invoices = await company.rows("SELECT source, total_amount, amount_due, status FROM invoices");
    expect(invoices).toEqual([{ source: "booking", total_amount: 1_180_00, amount_due: 0, status: "sent" }]);
    expect(await company.rows("SELECT id FROM lesson_receipts")).toEqual([]);
    const page = new URL(String((await change(company, first, { needs_review: false })).manage_url)).pathname;
    const paper = await visit(`${page}/receipt`);
    expect(paper.text).toContain("Tax invoice");
    expect(paper.text).toContain("Three lessons");

    const [owned] = await company.rows("SELECT id FROM booking_packages");
    const second = await newBooking(school, {
      ...at(11),
      product_id: null,
      booking_package_id: Number(owned?.id),
    });
    await setClock(company, `${DATE}T20:00:00+05:30`);
    await change(company, first, { status: "no_show" });
    await change(company, second.id, { status: "completed" });
    await untilEarned(company, 2);
    expect(await balances(company)).toEqual({
      ...held,
      lesson_income: -666_66,
      unearned_lesson_income: -333_34,
    });
    const lapsed = new Date(Date.parse(DATE) + 35 * 86_400_000).toISOString();
    await setClock(company, lapsed);
    await untilEarned(company, 3);
    expect(await balances(company)).toEqual({ ...held, lesson_income: -1_000_00 });
    expect(
      await company.rows(`
        SELECT entry_date = date(expires_at / 1000, 'unixepoch', '+330 minutes') AS is_its_day
          FROM lesson_earnings earning, booking_packages WHERE earning.booking_id IS NULL`),
    ).toEqual([{ is_its_day: 1 }]);
    await change(company, first, { payment_status: "refunded" });
    expect(await balances(company)).toEqual({});
    await expectSound(company);
  });

  test("that issues none posts a receipt voucher with its tax, and a refund voucher", async () => {
    const { company } = school;
    await setClock(company, new Date().toISOString());
    await setRules(company, { issue_invoices: false });
    const id = await bookAndPay(school, { ...at(13), product_id: packageId });
    expect(await balances(company)).toMatchObject({ output_cgst: -90_00, unearned_lesson_income: -1_000_00 });
    const cancelled = await schoolCall(company, "POST", `/bookings/${id}/cancel`, { body: {} });
    expect(cancelled.status).toBe(200);
    await change(company, id, { payment_status: "refunded" });
    expect(await balances(company)).toEqual({});
    await expectSound(company);
  });

  test("that issues none invoices one later: the invoice takes the place of the voucher, and its tax", async () => {
    const { company } = school;
    await setClock(company, new Date().toISOString());
    await setRules(company, { issue_invoices: false });
    const id = await bookAndPay(school, { ...at(14), product_id: packageId });
    const before = await balances(company);
    const invoice = () => company.call("POST", `/settings/:company/bookings/${id}/invoice`);
    const answers = await Promise.all([invoice(), invoice()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await balances(company)).toEqual(before);
    const [document] = await company.rows(
      "SELECT total_amount, payment_status, cgst_total, source FROM invoices ORDER BY id DESC LIMIT 1",
    );
    expect(document).toEqual({
      ...{ total_amount: 1_180_00, payment_status: "paid", cgst_total: 90_00, source: "booking" },
    });
    const [capture] = await company.rows("SELECT state FROM gateway_captures ORDER BY id DESC LIMIT 1");
    expect(capture).toEqual({ state: "invoiced" });
    const page = new URL(String((await change(company, id, { needs_review: false })).manage_url)).pathname;
    expect((await visit(page)).text).toContain(">Invoice</a>");
    await schoolCall(company, "POST", `/bookings/${id}/cancel`, { body: {} });
    await change(company, id, { payment_status: "refunded" });
    expect(await balances(company)).toEqual({});
    await expectSound(company);
  });

  test("takes a payment by the mode that staff name", async () => {
    const { company } = school;
    await setRules(company, { issue_invoices: null });
    const body = {
      customer: { name: "Asha", email: "asha@example.com" },
      instructor_id: school.instructorId,
      product_id: packageId,
      ...at(15),
      status: "confirmed",
      payment_status: "paid",
    };
    const path = "/settings/:company/bookings";
    const refused = await company.call("POST", path, { body: { ...body, payment_mode_id: 999 } });
    expect(refused).toMatchObject({ status: 422, body: { code: "payment_mode_inactive" } });
    const made = await company.call<{ id: string }>("POST", path, { body: { ...body, payment_mode_id: 2 } });
    expect(made.status).toBe(201);
    expect(await balances(company)).toMatchObject({ bank: 1_180_00, unearned_lesson_income: -1_000_00 });
    const [invoice] = await company.rows(
      "SELECT reference_number, customer ->> '$.name' AS name FROM invoices WHERE status <> 'voided'",
    );
    expect(invoice).toMatchObject({ reference_number: expect.stringMatching(/^BK-/), name: "Asha" });
    await change(company, made.body.data.id, { needs_review: false });
    await expectSound(company);
  });
});

test("a credit note takes from Unearned Lesson Income what is not earned, and the booking is not paid back beside it", async () => {
  const { school } = await openWithGateway();
  const { company } = school;
  await register(school);
  const packageId = await newThreeLessons(school);
  const id = await bookAndPay(school, { ...at(9), product_id: packageId });
  await change(company, id, { needs_review: false });
  const [line] = await company.rows("SELECT invoice_id, id FROM invoice_items");
  const invoiceId = String(line?.invoice_id);
  const part = await newNote(company, invoiceId, byAmount(String(line?.id), 100));
  expect(await balances(company)).toMatchObject({ unearned_lesson_income: -900_00 });
  await setClock(company, `${DATE}T20:00:00+05:30`);
  await change(company, id, { status: "completed" });
  await untilEarned(company, 1);
  expect(await balances(company)).toMatchObject({ lesson_income: -300_00, unearned_lesson_income: -600_00 });
  const rest = await newNote(company, invoiceId);
  expect(await balances(company)).toEqual({ debtors: -1_180_00, razorpay_clearing: 1_180_00 });
  expect(await company.rows("SELECT status FROM booking_packages")).toEqual([{ status: "cancelled" }]);
  await expectSound(company);

  const body = { payment_status: "refunded" };
  const refused = await company.call("PATCH", `/settings/:company/bookings/${id}`, { body });
  expect(refused).toMatchObject({ status: 409, body: { code: "has_credit_notes" } });
  for (const note of [rest, part]) must(await voidNote(company, note.id), 200);
  expect(await balances(company)).toMatchObject({ lesson_income: -300_00, unearned_lesson_income: -700_00 });
  await expectSound(company);
  await change(company, id, body);
  expect(await balances(company)).toEqual({});
  await expectSound(company);
});

test("a school in Australia names its own tax on receipts", async () => {
  const school = await openSchool(SYDNEY);
  const { company } = school;
  const body = { tax_registered: true, tax_label: "VAT", tax_number: "51 824", tax_number_label: "ABN" };
  must(await company.call("PATCH", "/settings/:company/profile", { body }), 200);
  await setRules(company, { issue_invoices: false });
  const course = { name: "Taxed lesson", selling_price: 110, tax_rate: 10, price_includes_tax: true };
  const product_id = await newCourse(company, course);
  const taxed = await newBooking(school, { ...at(12), product_id });
  const paid = await change(company, taxed.id, { status: "confirmed", payment_status: "paid" });
  const { text } = await visit(`${new URL(String(paid.manage_url)).pathname}/receipt`);
  for (const shown of ["<h1>Receipt</h1>", "VAT at 10%", "ABN 51 824"]) expect(text).toContain(shown);
  expect(text).not.toMatch(/GST|SAC|Place of supply|reverse charge/);
});
