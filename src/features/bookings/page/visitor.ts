import type { Form, Sent, Shown } from "#api/operations/page.ts";
import type { Ctx } from "#core/context.ts";
import { hostedCheckout, pollSoon, waitingCheckout } from "#features/gateway-payments";
import { Problem } from "#shared/problem.ts";
import { validationProblem } from "#shared/validation.ts";
import { cancelBooking } from "../bookings/cancel.ts";
import { confirmBooking } from "../bookings/confirm.ts";
import { rescheduleBooking } from "../bookings/reschedule.ts";
import { BookingCancel, BookingReschedule } from "../bookings/schema.ts";
import type { BookedRow } from "../bookings/snapshot.ts";
import { calendarOfBooking } from "../feeds/booking-calendar.ts";
import { CALENDAR_FILE, CALENDAR_TYPE } from "../feeds/calendar.ts";
import { payBooking } from "../payments/pay.ts";
import type { PayableRow } from "../payments/snapshot.ts";
import { findPaper } from "../receipts/find-paper.ts";
import { renderBookingPage, type Seen } from "./booking-page.tsx";
import { renderCheckoutPage } from "./checkout-page.tsx";
import { renderConfirmPage } from "./confirm-page.tsx";
import { choicesOf, findVisit, payerOf, type Visit } from "./find-visit.ts";
import { renderMovePage } from "./move-page.tsx";
import { offeredTimes } from "./offered-times.ts";
import { renderReceiptPage, renderRefundVoucherPage } from "./receipt-page.tsx";
import { refusalOf } from "./words/words.ts";

// Of the page's address: its visitor has just moved the lesson.
const MOVED = "moved";

/** The page of a booking. */
export async function showBooking(ctx: Ctx, sent: Sent): Promise<Shown> {
  const seen = { waited: waitedIn(sent.fields), isMoved: sent.fields.has(MOVED) };
  return bookingPage(ctx, await findVisit(ctx, sent.token), sent, seen);
}

/** The page of the times that a booking can be moved to. */
export async function showMove(ctx: Ctx, sent: Sent): Promise<Shown> {
  return movePage(ctx, sent, sent.fields.get("date"));
}

/** The booking as a calendar file. */
export async function showCalendar(ctx: Ctx, { token, base }: Sent): Promise<Shown> {
  const page = calendarOfBooking(await findVisit(ctx, token), base, ctx.now);
  const disposition = `attachment; filename="${CALENDAR_FILE}"`;
  return { page, headers: { "Content-Type": CALENDAR_TYPE, "Content-Disposition": disposition } };
}

/** The step to the payment that was opened when the lesson was booked, while the time is held; else the booking. */
export async function showPay(ctx: Ctx, sent: Sent): Promise<Shown> {
  const visit = await findVisit(ctx, sent.token);
  const isHeld = visit.status === "pending" && choicesOf(visit, ctx.now).canPay;
  const waiting = isHeld ? await waitingCheckout(ctx, "booking", visit.id) : undefined;
  if (waiting === undefined) return { goTo: sent.link("") };
  return checkoutPage(ctx, visit, sent, { ...waiting.data, prefill: await payerOf(ctx, visit.id) });
}

/** The paper of the money: the receipt, or where the invoice is. */
export async function showReceipt(ctx: Ctx, sent: Sent): Promise<Shown> {
  const visit = await findVisit(ctx, sent.token);
  const paper = await findPaper(ctx, visit.id);
  if (paper === undefined) return { goTo: sent.link("") };
  if (paper.receipt === null)
    return { goTo: `${ctx.origin}/i/${ctx.company.slug}/${paper.invoice_token}?lang=${sent.language}` };
  return { page: renderReceiptPage({ visit, sent, receipt: paper.receipt }) };
}

/** The refund voucher of the receipt, or what there is in its place. */
export async function showRefundVoucher(ctx: Ctx, sent: Sent): Promise<Shown> {
  const visit = await findVisit(ctx, sent.token);
  const paper = await findPaper(ctx, visit.id);
  if (paper?.receipt?.refundNumber == null) return { goTo: sent.link("/receipt") };
  return { page: renderRefundVoucherPage({ visit, sent, receipt: paper.receipt }) };
}

/** Where a form's address leads that is opened as a page, as by a reload. */
export async function goToBooking(ctx: Ctx, { token, link }: Sent): Promise<Shown> {
  await findVisit(ctx, token);
  return { goTo: link("") };
}

/** Where a payer comes back to by a link, which changes nothing. */
export async function goBack(ctx: Ctx, { token, link }: Sent): Promise<Shown> {
  await findVisit(ctx, token);
  return { goTo: link("", { paid: "0" }) };
}

/** Where gateways send a payer back to by a form: it changes nothing by itself, and lets the gateway be asked now. */
export async function comeBack(ctx: Ctx, { token, link }: Sent): Promise<Shown> {
  const { id, payment_status: paid } = await findVisit(ctx, token);
  if (paid === "unpaid") await pollSoon(ctx, "booking", id);
  return { goTo: link("", { paid: "0" }) };
}

/** Where the mail's link leads: it asks, and changes nothing by itself. */
export async function showConfirm(ctx: Ctx, sent: Sent): Promise<Shown> {
  const visit = await findVisit(ctx, sent.token);
  const proof = sent.fields.get("proof");
  if (visit.is_unproven !== 1 || visit.status !== "pending" || proof === null) return { goTo: sent.link("") };
  return { page: renderConfirmPage({ visit, sent, proof, once: ctx.newToken() }) };
}

export const confirmForm: Form<BookedRow> = {
  operation: "confirmBooking",
  changes: ["booking"],
  async act(ctx, { token, fields }) {
    const { id } = await findVisit(ctx, token);
    return confirmBooking(ctx, { id }, fields.get("proof") ?? "");
  },
  done: async (_ctx, { link }) => ({ goTo: link("") }),
  refused: pageAgain,
};

export const cancelForm: Form<BookedRow> = {
  operation: "cancelBooking",
  changes: ["booking", "package", "refund", "invoice", "payment", "credit_note"],
  async act(ctx, { token, fields }) {
    const { id } = await findVisit(ctx, token);
    const body = BookingCancel.safeParse({ reason: fields.get("reason") || null });
    if (!body.success) throw validationProblem(body.error.issues);
    return cancelBooking(ctx, { id }, body.data);
  },
  done: async (_ctx, { link }) => ({ goTo: link("") }),
  refused: pageAgain,
};

/** The refusals that another time does not help: the booking's page shows what does. */
const UNMOVABLE = new Set(["invalid_status", "cancel_window_passed", "too_many_moves"]);

export const moveForm: Form<BookedRow> = {
  operation: "rescheduleBooking",
  changes: ["booking"],
  async act(ctx, { token, fields }) {
    const { id } = await findVisit(ctx, token);
    const instructor = fields.get("instructor_id");
    const body = BookingReschedule.safeParse({
      booking_date: fields.get("booking_date") ?? "",
      start_time: fields.get("start_time") ?? "",
      ...(instructor === null ? {} : { instructor_id: instructor }),
    });
    if (!body.success) throw validationProblem(body.error.issues);
    return rescheduleBooking(ctx, { id }, body.data);
  },
  done: async (_ctx, { link }) => ({ goTo: link("", { [MOVED]: "1" }) }),
  async refused(ctx, sent, problem) {
    if (UNMOVABLE.has(problem.code)) return pageAgain(ctx, sent, problem);
    return movePage(ctx, sent, sent.fields.get("booking_date"), refusalOf(problem, sent.language));
  },
};

export const payForm: Form<PayableRow> = {
  operation: "payBooking",
  changes: ["booking", "package"],
  async act(ctx, { token, link }) {
    const { id } = await findVisit(ctx, token);
    return payBooking(ctx, { id }, { return_url: link("", { paid: "0" }), cancel_url: link("") });
  },
  async done(ctx, sent, { payment }) {
    const url = payment?.paymentUrl;
    if (url != null) return { goTo: url };
    if (payment?.paymentData == null) throw new Problem("payment_gateway_error");
    return checkoutPage(ctx, await findVisit(ctx, sent.token), sent, payment.paymentData);
  },
  refused: pageAgain,
};

async function pageAgain(ctx: Ctx, sent: Sent, problem: Problem): Promise<Shown> {
  const refusal = refusalOf(problem, sent.language);
  return bookingPage(ctx, await findVisit(ctx, sent.token), sent, { refusal });
}

function checkoutPage(ctx: Ctx, visit: Visit, sent: Sent, data: Record<string, unknown>): Shown {
  const { link } = sent;
  const checkout = hostedCheckout(ctx, data, { callbackUrl: link("/paid"), cancelUrl: link("") });
  return { page: renderCheckoutPage({ visit, sent }, checkout), sources: checkout.sources };
}

function bookingPage(
  ctx: Ctx,
  visit: Visit,
  sent: Sent,
  more: Partial<Pick<Seen, "refusal" | "waited" | "isMoved">>,
): Shown {
  return { page: renderBookingPage({ visit, sent, now: ctx.now, once: ctx.newToken(), ...more }) };
}

async function movePage(ctx: Ctx, sent: Sent, wanted: string | null, refusal?: string): Promise<Shown> {
  const visit = await findVisit(ctx, sent.token);
  const days = await offeredTimes(ctx, visit);
  const seen = { visit, sent, now: ctx.now, once: ctx.newToken(), refusal };
  return { page: renderMovePage({ ...seen, days, date: wanted ?? undefined }) };
}

function waitedIn(fields: URLSearchParams): number | undefined {
  const waited = fields.get("paid");
  return waited !== null && /^\d$/.test(waited) ? Number(waited) : undefined;
}
