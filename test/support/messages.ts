import { randomInt } from "node:crypto";
import { companyDate } from "#core/calendar.ts";
import { daysAhead, everyDay, newCourse, newInstructor, setRules } from "../features/school.ts";
import { must, type TestCompany } from "./company.ts";
import { checkOut, connectGateway, leaveCapture, leaveReport, newestOf, play } from "./gateways.ts";

type Made = { id: string; invoice_id: string; total_amount: number };

/** Records that come from outside, by their path, and how one comes; gives its id. */
export const FROM_OUTSIDE: Record<string, (company: TestCompany) => Promise<string>> = {
  "/messaging/:company/inbound": writeToCompany,
  "/ledger/:company/captures": leaveCapture,
  "/refunds/:company/reports": leaveReport,
};
/** The records of operations that take one in a state of its own, by the operation, and how one is made; gives its id. */
export const IN_A_STATE: Record<string, (company: TestCompany) => Promise<string>> = {
  invoiceBooking: receiptedBooking,
  reverseReceipt: async (company) => {
    await receiptedBooking(company);
    return newestOf(company, "/ledger/:company/receipts");
  },
  reopenCapture: async (company) => {
    const id = await leaveCapture(company);
    const body = { outside_reference: "by mistake" };
    must(await company.call("POST", `/ledger/:company/captures/${id}/settle`, { body }), 200);
    return id;
  },
  dismissRefundReview: chargedBack,
  cancelMessage: (company) =>
    messageFor(company, { send_at: new Date(Date.now() + 86_400_000).toISOString() }),
  resendMessage: async (company) => {
    const to = `nobody-${randomInt(1e11, 1e12)}@example.com`;
    must(await company.call("POST", "/settings/:company/suppressions", { body: { email: to } }), 201);
    return messageFor(company, { to });
  },
};
/** Gives the company a provider of a channel. */
export async function connectMessaging(company: TestCompany, channel: string, kind: string, config: object) {
  const body = { channel, kind, config };
  must(await company.call("POST", "/settings/:company/messaging-providers", { body }), 201);
}

/** An e-mail of the company. */
async function messageFor(company: TestCompany, fields: object): Promise<string> {
  const body = { to: "meera@example.com", subject: "Ready", html: "<p>Ready</p>", ...fields };
  const sent = await company.call<{ id: string }>("POST", "/messaging/:company/email", { body });
  return must(sent, 202).body.data.id;
}

/** A person writes to the company, by the callback of a provider of its own. */
async function writeToCompany(company: TestCompany): Promise<string> {
  const provider = { channel: "sms", kind: "http", config: { url: "https://sms.example.com/send" } };
  const path = "/settings/:company/messaging-providers";
  const made = must(await company.call<{ callback_url: string }>("POST", path, { body: provider }), 201);
  const body = {
    id: `in-${randomInt(1e12)}`,
    from: "919845012345",
    to: "918040001000",
    text: "Is it ready?",
  };
  const { pathname } = new URL(made.body.data.callback_url);
  must(await company.call("POST", pathname, { body, key: null, base: "" }), 200);
  return (await company.read<{ id: string }[]>("/messaging/:company/inbound"))[0]?.id ?? "";
}

/** A booking of the company whose money has a receipt; gives its id. */
async function receiptedBooking(company: TestCompany): Promise<string> {
  await setRules(company, { issue_invoices: false });
  const instructor = await newInstructor(company, { schedule: everyDay("09:00-17:00") });
  const booking = await company.make<Made>("/settings/:company/bookings", {
    // One learner has one lesson at a time.
    customer: { name: "Mia", email: `nobody-${randomInt(1e11, 1e12)}@example.com` },
    instructor_id: Number(instructor.id),
    product_id: await newCourse(company),
    booking_date: daysAhead(9),
    ...{ start_time: "10:00", status: "confirmed", payment_status: "paid" },
  });
  return booking.id;
}

/** A chargeback of an order whose credit was paid out before: no credit note can say it any more. Gives its refund's id. */
async function chargedBack(company: TestCompany): Promise<string> {
  const { merchant } = await connectGateway(company, "razorpay", { priority: 0 });
  const { order_id: order, payment_data: asked } = await checkOut(company, {
    customer: { name: "Meera Nair", email: "meera@example.com", state: "Karnataka", country: "IN" },
    items: [{ name: "Gift card", quantity: 1, unit_price: 100 }],
  });
  const { payment_ids: payments } = await play(company, "razorpay", asked.gateway_order_id, "paid");
  const invoice = (await company.read<Made>(`/orders/:company/${order}`)).invoice_id;
  const note = await company.make<Made>(`/invoices/:company/${invoice}/credit-notes`, undefined);
  const payout = {
    amount: note.total_amount,
    payment_mode_id: 2,
    payout_date: companyDate(Date.now(), "Asia/Kolkata"),
  };
  await company.make(`/credit-notes/:company/${note.id}/payouts`, payout);
  const path = `/pay/accounts/${merchant.account}/payments/${payments[0]}`;
  const taken = await fetch(`${company.gatewaysUrl}${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ source: "chargeback" }),
  });
  if (!taken.ok) throw new Error(`The bank took nothing: ${await taken.text()}`);
  return (await company.read<Made[]>(`/refunds/:company?order_id=${order}`))[0]?.id ?? "";
}
