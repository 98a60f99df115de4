import { createHmac, randomBytes, randomUUID } from "node:crypto";
import type { Account, EventName, Received } from "./inbox.ts";

type Request = { headers: Record<string, string>; body: string };
/** `reply` is what the person wrote, where that is what happened. */
type Build = (
  message: Received,
  event: EventName,
  account: Account,
  reply: string | null,
) => Request | undefined;

const FORM = { "Content-Type": "application/x-www-form-urlencoded" };
const JSON_TYPE = { "Content-Type": "application/json" };
const BUSINESS_NUMBER = "15550001111";
const dateTime = () => new Date().toISOString().slice(0, 19).replace("T", " ");
const seconds = () => Math.floor(Date.now() / 1_000);

/** The callback of each kind of provider for an event, signed as it signs; undefined for what it cannot report. */
const CALLBACKS: Record<string, Build> = {
  // Receipts: https://msg91.com/help/how-can-i-get-the-delivery-reports-on-my-webhook-url. Of replies no public page
  // was found: these are the names that src/providers/sms/msg91.ts reads.
  msg91({ id, to, from }, event, _account, reply) {
    if (reply !== null) {
      const body = JSON.stringify({ sender: to, receiver: from, message: reply });
      return { headers: JSON_TYPE, body };
    }
    const status = { delivered: "1", failed: "2", rejected: "16" }[event as string];
    if (status === undefined) return undefined;
    const desc = { delivered: "DELIVERED", failed: "FAILED", rejected: "REJECTED 603" }[event as string];
    const report = [{ number: to, status, desc, date: dateTime() }];
    return {
      headers: FORM,
      body: new URLSearchParams({ data: JSON.stringify([{ requestId: id, report }]) }).toString(),
    };
  },

  // https://support.exotel.com/support/solutions/articles/45270-send-a-sms-reply-in-response-to-an-incoming-sms
  exotel({ id, to, from, reference }, event, _account, reply) {
    if (reply !== null) {
      const written = { SmsSid: randomUUID(), From: to, To: from, Date: dateTime(), Body: reply };
      return { headers: FORM, body: new URLSearchParams(written).toString() };
    }
    const told = {
      delivered: { Status: "sent", DetailedStatus: "DELIVERED_TO_HANDSET", DetailedStatusCode: "20005" },
      failed: { Status: "failed", DetailedStatus: "ABSENT_SUBSCRIBER", DetailedStatusCode: "21003" },
      rejected: { Status: "failed_dnd", DetailedStatus: "PREFERENCE_BLOCKED", DetailedStatusCode: "23005" },
    }[event as string];
    if (told === undefined) return undefined;
    const fields = { SmsSid: id, To: to, ...told, CustomField: reference ?? "" };
    return { headers: FORM, body: new URLSearchParams(fields).toString() };
  },

  // https://www.twilio.com/docs/messaging/guides/webhook-request
  twilio({ id, to, from, details }, event, { callbackUrl, secret }, reply) {
    const told: Record<string, Record<string, string>> = {
      delivered: { MessageStatus: "delivered" },
      failed: { MessageStatus: "undelivered", ErrorCode: "30003" },
      rejected: { MessageStatus: "undelivered", ErrorCode: "30007" },
    };
    const account = { AccountSid: String(details.account_sid), ApiVersion: "2010-04-01" };
    const written = { From: `+${to}`, To: from, NumMedia: "0", NumSegments: "1", SmsStatus: "received" };
    const sid = `SM${randomBytes(16).toString("hex")}`;
    const fields =
      reply === null
        ? told[event] && { MessageSid: id, ...told[event] }
        : { MessageSid: sid, ...written, Body: reply };
    if (fields === undefined) return undefined;
    const body = new URLSearchParams({ ...account, ...fields });
    const signed = [...body]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .reduce((text, [name, value]) => text + name + value, callbackUrl);
    const signature = createHmac("sha1", secret).update(signed).digest("base64");
    return { headers: { ...FORM, "X-Twilio-Signature": signature }, body: body.toString() };
  },

  // Our own form, which docs/messages.md describes.
  "http-sms"({ id, to, from, reference }, event, _account, reply) {
    const body =
      reply === null
        ? { id, reference, status: event, message: `The sandbox says ${event}` }
        : { id: `in-${randomUUID()}`, from: to, to: from, text: reply, reply_to: id };
    return event === "read" ? undefined : { headers: JSON_TYPE, body: JSON.stringify(body) };
  },

  // https://developers.facebook.com/docs/whatsapp/cloud-api/webhooks/payload-examples
  meta({ id, to, reference, details }, event, { secret }, reply) {
    if (event === "rejected") return undefined;
    const errors = [
      { code: 131026, title: "Message undeliverable", error_data: { details: "Message undeliverable." } },
    ];
    const status = {
      id,
      status: event,
      timestamp: String(seconds()),
      recipient_id: to,
      ...(reference === null ? {} : { biz_opaque_callback_data: reference }),
      ...(event === "failed" ? { errors } : {}),
    };
    const inbound = {
      context: { from: BUSINESS_NUMBER, id },
      from: to,
      id: `wamid.${randomBytes(24).toString("base64url")}`,
      timestamp: String(seconds()),
      type: "text",
      text: { body: reply },
    };
    const contacts = [{ profile: { name: "Sandbox" }, wa_id: to }];
    const value = {
      messaging_product: "whatsapp",
      metadata: { display_phone_number: BUSINESS_NUMBER, phone_number_id: details.phone_number_id },
      ...(reply === null ? { statuses: [status] } : { contacts, messages: [inbound] }),
    };
    const body = JSON.stringify({
      object: "whatsapp_business_account",
      entry: [{ id: "100000000000001", changes: [{ field: "messages", value }] }],
    });
    const signature = createHmac("sha256", secret).update(body).digest("hex");
    return { headers: { ...JSON_TYPE, "X-Hub-Signature-256": `sha256=${signature}` }, body };
  },

  resend({ id, to }, event, { secret }) {
    const type = { delivered: "email.delivered", failed: "email.bounced", rejected: "email.complained" }[
      event as string
    ];
    if (type === undefined) return undefined;
    const bounce = {
      type: "Permanent",
      subType: "General",
      message: "The recipient's mailbox does not exist.",
    };
    const data = { email_id: id, to: [to], ...(event === "failed" ? { bounce } : {}) };
    const body = JSON.stringify({ type, created_at: new Date().toISOString(), data });
    const name = `msg_${randomUUID()}`;
    const key = Buffer.from(secret.replace("whsec_", ""), "base64");
    const signature = createHmac("sha256", key).update(`${name}.${seconds()}.${body}`).digest("base64");
    const signed = {
      "svix-id": name,
      "svix-timestamp": String(seconds()),
      "svix-signature": `v1,${signature}`,
    };
    return { headers: { ...JSON_TYPE, ...signed }, body };
  },

  postmark({ id, to, reference }, event) {
    const told: Record<string, object> = {
      delivered: { RecordType: "Delivery" },
      failed: {
        RecordType: "Bounce",
        Type: "HardBounce",
        TypeCode: 1,
        Description: "The mailbox does not exist.",
      },
      rejected: { RecordType: "SpamComplaint", Type: "SpamComplaint" },
    };
    if (told[event] === undefined) return undefined;
    // https://postmarkapp.com/developer/webhooks/delivery-webhook has it as `Recipient`, the others as `Email`.
    const whom = event === "delivered" ? { Recipient: to } : { Email: to };
    const body = { ...told[event], ...whom, MessageID: id, Metadata: { reference } };
    return { headers: JSON_TYPE, body: JSON.stringify(body) };
  },
};

/**
 * Reports an event to the service, as the message's provider would, or a `reply` that its receiver wrote; gives the
 * status of its answer, 0 where it gave none.
 */
export async function tell(
  message: Received,
  event: EventName,
  account: Account | undefined,
  reply: string | null = event === "stop" ? "STOP" : null,
): Promise<number | undefined> {
  // No reply to an e-mail arrives here: a company's mailbox is not ours.
  if (reply !== null && message.channel === "email") return undefined;
  const request = account && CALLBACKS[message.kind]?.(message, event, account, reply);
  if (account === undefined || request === undefined) return undefined;
  const response = await fetch(account.callbackUrl, {
    method: "POST",
    ...request,
    signal: AbortSignal.timeout(10_000),
  }).catch(() => undefined);
  const answer = response?.status ?? 0;
  const text = reply === null ? {} : { text: reply };
  message.events.push({ name: event, at: new Date().toISOString(), answer, ...text });
  return answer;
}
