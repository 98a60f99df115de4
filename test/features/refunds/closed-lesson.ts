import { expect, onTestFinished } from "vitest";
import { companyDate } from "#core/calendar.ts";
import { must } from "../../support/company.ts";
import { type Kind, play } from "../../support/gateways.ts";
import { expectSound } from "../../support/oracles.ts";
import { openWithGateway, orderOf, pay } from "../bookings/bookings/gateway-school.ts";
import { change } from "../bookings/money/books.ts";
import { balancesOf } from "../captures/captures.ts";
import { getInvoice, REGISTERED } from "../commerce.ts";
import { type NoteRecord, voidNote } from "../credit-notes/notes.ts";
import { voidInvoice } from "../money.ts";
import { refusal } from "../refusal.ts";
import { daysAhead, newBooking, newCourse, schoolCall, setRules } from "../school.ts";
import { allDue, NOTHING_LEFT, type Sale, saleOf } from "./sales.ts";

export const DAY_S = 86_400;
export const PRICE = 999.99;
const COURSE = { selling_price: PRICE, tax_rate: 18, price_includes_tax: true };
export const AT = { booking_date: daysAhead(60), start_time: "10:00" };
const AUSTRALIAN = {
  tax_registered: true,
  ...{ tax_label: "GST", tax_number: "51824753556", tax_number_label: "ABN" },
};
export const REFUND = { reason: "cancellation" };

export const CODES = ["period_locked", "return_filed"] as const;
type Code = (typeof CODES)[number];
type Wish = { kind?: Kind | "cash"; outcome?: "paid" | "twice"; isPackage?: boolean; hasInvoice?: boolean };

/** A paid lesson whose invoice, with tax in its price, lies forty days back, in what the school has closed since. */
export async function closedLesson(code: Code, wish: Wish = {}) {
  const { kind = "razorpay", outcome = "paid", isPackage = false, hasInvoice = true } = wish;
  const gateway = kind === "cash" ? "razorpay" : kind;
  const { school, gateway: connected } = await openWithGateway(gateway);
  const { company } = school;
  onTestFinished(() => expectSound(company));
  const body = gateway === "razorpay" ? REGISTERED : AUSTRALIAN;
  must(await company.call("PATCH", "/settings/:company/profile", { body }), 200);
  await setRules(company, { issue_invoices: hasInvoice, advance_days: 366, refund_on_cancel: "full" });
  const sessions = { is_package: true, sessions: 3, lesson_product_id: school.courseId, package_days: 90 };
  const course = await newCourse(company, { ...COURSE, ...(isPackage ? sessions : {}) });
  const { id } = await newBooking(school, { ...AT, product_id: course });
  if (kind === "cash") await change(company, id, { status: "confirmed", payment_status: "paid" });
  else await play(company, kind, orderOf(await pay(school, id)), outcome);
  const sale = await saleOf({ company, connected }, "booking", id);
  await company.clock(40 * DAY_S);
  await close(sale, code);
  return { ...sale, school };
}

/** Locks the books through the day of the lesson's document, or files the return of its month. */
async function close({ company, invoiceId }: Sale, code: Code): Promise<void> {
  const [row] = await company.rows("SELECT min(entry_date) AS day FROM journal_entries");
  const day = String(row?.day);
  const body = code === "period_locked" ? { locked_through: day } : { gst_filed_through: day.slice(0, 7) };
  must(await company.call("PATCH", "/settings/:company/books", { body }), 200);
  const refused = await voidInvoice(company, invoiceId);
  if (refused.status !== 404) expect(refused).toMatchObject(refusal(409, code));
}

export const cancelByVisitor = ({ company, id }: Sale) =>
  schoolCall(company, "POST", `/bookings/${id}/cancel`, { body: {} });

/** Waits until the jobs have sent the money back. */
export async function untilRefunded({ company, read }: Sale): Promise<void> {
  await company.clock(40 * DAY_S + 60);
  await company.sweep(async () => (await read()).payment_status === "refunded");
}

export const notesOf = ({ company, invoiceId }: Sale) =>
  company.read<NoteRecord[]>(`/invoices/:company/${invoiceId}/credit-notes`);

/** All of the lesson's money is back, `sent` of it by its gateway; the invoice stands beside a note of today over all of it. */
export async function expectCredited(lesson: Sale, sent: number, balances = {}): Promise<void> {
  const { company, invoiceId } = lesson;
  const invoice = await getInvoice(company, invoiceId);
  expect(invoice).toMatchObject({ status: "sent", credit_status: "full", amount_due: 0 });
  const [note, ...others] = await notesOf(lesson);
  expect(others).toEqual([]);
  const { taxable_total, tax_total, round_off, total_amount } = invoice;
  expect(note).toMatchObject({ taxable_total, tax_total, round_off, total_amount, unapplied_amount: 0 });
  const booking = await lesson.read();
  expect(booking).toMatchObject({ payment_status: "refunded", refunded_amount: sent });
  const made = Date.parse(String(note?.created_at));
  expect(note?.note_date).toBe(companyDate(made, String(booking.timezone)));
  expect(await lesson.sent()).toBe(sent);
  expect(await allDue(company)).toEqual([]);
  expect(await lesson.post(REFUND)).toMatchObject(NOTHING_LEFT);
  const credited = await company.read<object[]>(`/refunds/:company?credit_note_id=${note?.id}`);
  expect(credited).toHaveLength(sent === 0 ? 0 : 1);
  expect(await voidNote(company, String(note?.id))).toMatchObject(refusal(409, "credit_in_use"));
  expect(await company.read("/ledger/:company/self-check")).toMatchObject({ broken: [], open: [] });
  await expectSound(company);
  expect(await balancesOf(company)).toEqual(balances);
}
