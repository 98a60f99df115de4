import { randomInt } from "node:crypto";
import { chargedBack } from "./charged-back.ts";
import { must, type TestCompany } from "./company.ts";
import { leaveCapture, leaveReport } from "./gateways.ts";
import { receiptedBooking } from "./lessons.ts";

/** Records that come from outside, by their path, and how one comes; gives its id. */
export const FROM_OUTSIDE: Record<string, (company: TestCompany) => Promise<string>> = {
  "/messaging/:company/inbound": writeToCompany,
  "/ledger/:company/captures": leaveCapture,
  "/refunds/:company/reports": leaveReport,
};
/** The records of operations that take one in a state of its own, by the operation, and how one is made; gives its id. */
export const IN_A_STATE: Record<string, (company: TestCompany) => Promise<string>> = {
  invoiceBooking: receiptedBooking,
  dismissRefundReview: chargedBack,
  cancelMessage: (company) =>
    messageFor(company, { send_at: new Date(Date.now() + 86_400_000).toISOString() }),
  resendMessage: async (company) => {
    const to = `nobody-${randomInt(1e12)}@example.com`;
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
