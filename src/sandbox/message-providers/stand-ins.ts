import { randomBytes, randomUUID } from "node:crypto";
import { attachmentsIn, refusalOf } from "./attachments.ts";
import type { Account, Inbox, Received } from "./inbox.ts";
import { fateOf } from "./recipients.ts";

/** A request to a provider's interface: its path from the provider's own base address on. */
export type ProviderRequest = { path: string; headers: Headers; body: string };
/** What the provider answers; nothing at all where it is to time out. */
export type ProviderReply = { status: number; body: unknown } | "timeout";
type Message = Omit<Received, "kind" | "at" | "events" | "attachments">;
type Taken = { message: Message; account: Account | undefined; body: unknown; status?: number };
type StandIn = (request: ProviderRequest, inbox: Inbox) => Taken | undefined;

const BLANK = { to_name: null, subject: null, html: null, reference: null, details: {} };
const SMS = { ...BLANK, channel: "sms" } as const;

/** The providers' interfaces, by kind: each reads its own shape of request, and answers in its own. */
const STAND_INS: Record<string, StandIn> = {
  msg91({ path, headers, body }, inbox) {
    const json = JSON.parse(body);
    const [sms] = json.sms ?? [];
    if (path !== "/api/v2/sendsms" || sms === undefined) return undefined;
    const id = randomBytes(12).toString("hex");
    const message = { ...SMS, id, from: json.sender, to: sms.to[0], text: sms.message };
    const details = { template_id: json.DLT_TE_ID, pe_id: json.DLT_PE_ID, route: json.route };
    const account = inbox.account(headers.get("authkey") ?? "");
    return { message: { ...message, details }, account, body: { message: id, type: "success" } };
  },

  exotel({ path, body }) {
    const [, sid] = /^\/v1\/Accounts\/([\w-]+)\/Sms\/send\.json$/.exec(path) ?? [];
    if (sid === undefined) return undefined;
    const form = Object.fromEntries(new URLSearchParams(body));
    const id = randomBytes(16).toString("hex");
    const message = { ...SMS, id, from: form.From ?? "", to: form.To ?? "", text: form.Body ?? "" };
    const details = { template_id: form.DltTemplateId, pe_id: form.DltEntityId, type: form.SmsType };
    return {
      message: { ...message, reference: form.CustomField ?? null, details },
      account: calledBack(form.StatusCallback, ""),
      body: { SMSMessage: { Sid: id, AccountSid: sid, From: form.From, To: form.To, Status: "queued" } },
    };
  },

  twilio({ path, headers, body }) {
    const [, sid] = /^\/2010-04-01\/Accounts\/(AC[0-9a-f]{32})\/Messages\.json$/.exec(path) ?? [];
    if (sid === undefined) return undefined;
    const form = Object.fromEntries(new URLSearchParams(body));
    const [, token = ""] = atob(headers.get("Authorization")?.replace("Basic ", "") ?? "").split(":");
    const id = `SM${randomBytes(16).toString("hex")}`;
    const to = (form.To ?? "").replace("+", "");
    const from = form.From ?? form.MessagingServiceSid ?? "";
    const message = { ...SMS, id, from, to, text: form.Body ?? "" };
    const reference = new URL(form.StatusCallback ?? "none:").searchParams.get("reference");
    const account = calledBack(form.StatusCallback, token);
    const details = { account_sid: sid };
    return {
      message: { ...message, reference, details },
      account,
      status: 201,
      body: { sid: id, status: "queued" },
    };
  },

  "http-sms"({ body }) {
    const json = JSON.parse(body);
    const { sender_id, to, message: text, reference, template_id, pe_id } = json;
    const message = { ...SMS, id: reference, from: sender_id ?? "", to, text };
    const account = calledBack(json.callback_url ?? undefined, "");
    return {
      message: { ...message, reference, details: { template_id, pe_id } },
      account,
      body: { id: reference },
    };
  },

  meta({ path, body }, inbox) {
    const [, number] = /^\/v\d+\.\d\/(\d+)\/messages$/.exec(path) ?? [];
    if (number === undefined) return undefined;
    const json = JSON.parse(body);
    const id = `wamid.HBgM${randomBytes(18).toString("base64url")}`;
    const message = {
      ...BLANK,
      id,
      channel: "chatapp" as const,
      from: number,
      to: json.to ?? json.recipient,
      text: chatappText(json),
    };
    const details = { type: json.type, template: json.template, phone_number_id: number };
    return {
      message: { ...message, reference: json.biz_opaque_callback_data ?? null, details },
      account: inbox.account(number) ?? inbox.account("meta"),
      body: {
        messaging_product: "whatsapp",
        contacts: [
          json.to ? { input: json.to, wa_id: json.to } : { input: json.recipient, user_id: json.recipient },
        ],
        messages: [{ id, message_status: "accepted" }],
      },
    };
  },

  resend({ path, headers, body }, inbox) {
    if (path !== "/emails") return undefined;
    const account = inbox.account(headers.get("Authorization")?.replace("Bearer ", "") ?? "");
    const message = mail("resend", JSON.parse(body), headers.get("Idempotency-Key"));
    return { message, account, body: { id: message.id } };
  },

  postmark({ path, headers, body }, inbox) {
    if (path !== "/email") return undefined;
    const json = JSON.parse(body);
    const { From: from, To: to, Subject: subject, HtmlBody: html, TextBody: text } = json;
    const named: { Name: string; Value: string }[] = json.Headers ?? [];
    const sent = Object.fromEntries(named.map(({ Name, Value }) => [Name, Value]));
    const said = { from, to, subject, html, text, headers: sent };
    const message = mail("postmark", said, json.Metadata?.reference);
    const account = inbox.account(headers.get("X-Postmark-Server-Token") ?? "");
    return { message, account, body: { ErrorCode: 0, Message: "OK", MessageID: message.id, To: to } };
  },

  "http-mail": ({ headers, body }) => plainMail("http-mail", headers, body),
  mail: ({ headers, body }) => plainMail("mail", headers, body),
};

/** Takes a request to a provider as the provider would, unless its recipient is one of the magic ones. */
export function standIn(
  kind: string,
  request: ProviderRequest,
  inbox: Inbox,
): { reply: ProviderReply; message?: Received } {
  // Meta shows a number to its own account's token alone.
  const [, id] = (kind === "meta" && /^\/v\d+\.\d\/(\d+)$/.exec(request.path)) || [];
  if (id !== undefined && !request.headers.get("Authorization")?.endsWith("of-another"))
    return { reply: { status: 200, body: { id } } };
  // RFC 9110, section 15.5.2; the providers' documents that we found name no other status for a key that is not known.
  if (/refused$/.test(request.headers.get("authkey") ?? request.headers.get("Authorization") ?? ""))
    return { reply: { status: 401, body: { message: "The sandbox knows no such account" } } };
  const taken = STAND_INS[kind]?.(request, inbox);
  // https://resend.com/docs/api-reference/introduction#user-agent
  if (kind === "resend" && !request.headers.has("User-Agent"))
    return { reply: { status: 403, body: "error code: 1010" } };
  if (taken === undefined) return { reply: { status: 404, body: { message: "No such address" } } };
  const { message, account, body, status = 200 } = taken;
  const fate = fateOf(message.to);
  if (fate === "error") return { reply: { status: 500, body: { message: "The sandbox was asked to fail" } } };
  if (fate === "busy")
    return { reply: { status: 429, body: { message: "The sandbox was asked to be busy" } } };
  const attachments = attachmentsIn(kind, request.body);
  const refusal = refusalOf(kind, attachments);
  if (refusal !== undefined) return { reply: { status: 422, body: refusal } };
  const known = inbox.find(message.id);
  const received = known ?? inbox.add({ ...message, kind, attachments }, account);
  return { reply: fate === "timeout" ? "timeout" : { status, body }, message: received };
}

function plainMail(kind: string, headers: Headers, body: string): Taken {
  const message = mail(kind, JSON.parse(body), headers.get("Idempotency-Key"));
  return { message, account: undefined, body: { id: message.id } };
}

type Mail = {
  from: string;
  to: string | string[];
  subject: string;
  html: string;
  text: string;
  headers?: Record<string, string>;
  list_unsubscribe?: string;
  list_unsubscribe_post?: string;
};

/** An e-mail; one asked for again under the same key is the same one. */
function mail(
  kind: string,
  { from, to, subject, html, text, headers = {}, ...fields }: Mail,
  key: string | null | undefined,
): Message {
  const [, name = null, address] = /^"(.*)" <(.+)>$/.exec([to].flat()[0] ?? "") ?? [];
  const id = key == null ? randomUUID() : `${kind}-${key}`;
  const plain = address ?? [to].flat()[0] ?? "";
  return {
    ...BLANK,
    id,
    channel: "email",
    from,
    to: plain,
    to_name: name,
    subject,
    html,
    text,
    reference: key ?? null,
    details: {
      list_unsubscribe: headers["List-Unsubscribe"] ?? fields.list_unsubscribe,
      list_unsubscribe_post: headers["List-Unsubscribe-Post"] ?? fields.list_unsubscribe_post,
    },
  };
}

function chatappText({ type, text, template }: Record<string, Record<string, never>>): string {
  if (String(type) === "text") return String(text?.body);
  const [component] = (template?.components ?? []) as { parameters: { text: string }[] }[];
  const variables = component?.parameters.map((parameter) => parameter.text) ?? [];
  return [`[${String(template?.name)}]`, ...variables].join("\n");
}

function calledBack(url: string | undefined, secret: string): Account | undefined {
  return url === undefined ? undefined : { callbackUrl: url, secret };
}
