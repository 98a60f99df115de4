import { randomBytes, randomInt } from "node:crypto";
import { expect, inject } from "vitest";
import type { EventName, Received } from "../../../src/sandbox/message-providers/inbox.ts";
import { must, openCompany, type TestCompany } from "../../support/company.ts";
import type { Answer } from "../../support/http.ts";

export type Provider = { id: string; callback_url: string; config: Record<string, unknown> };
export type MessageRecord = {
  id: string;
  status: string;
  to: string | string[];
  error: { code: string; message: string; provider_code: string | null } | null;
  provider_message_id: string | null;
  delivered_at: string | null;
  read_at: string | null;
  failed_at: string | null;
};

/** A number that no other test writes to; its ending may be a magic one. */
export function newNumber(ending = ""): string {
  return `91${String(randomInt(1e9, 1e10)).slice(ending.length)}${ending}`;
}

export function newPhoneNumberId(): string {
  return String(randomInt(1e11, 1e12));
}

/** An address that no other test writes to. */
export function newAddress(mailbox = "meera"): string {
  return `${mailbox}@${randomBytes(6).toString("hex")}.example`;
}

/** The configurations that tests connect providers with, by kind. */
export const CONFIGS = {
  msg91: () => ({
    channel: "sms",
    kind: "msg91",
    config: { auth_key: `key-${randomBytes(6).toString("hex")}` },
  }),
  exotel: () => ({
    channel: "sms",
    kind: "exotel",
    config: { account_sid: "asha", api_key: "key", api_token: "token" },
  }),
  twilio: () => ({
    channel: "sms",
    kind: "twilio",
    config: { account_sid: `AC${"0".repeat(32)}`, auth_token: "twilio-token", from: "+15017122661" },
  }),
  "http-sms": () => ({ channel: "sms", kind: "http", config: { url: "https://sms.example.com/send" } }),
  meta: () => ({
    channel: "chatapp",
    kind: "meta",
    config: {
      phone_number_id: newPhoneNumberId(),
      access_token: "token",
      app_secret: randomBytes(8).toString("hex"),
    },
  }),
  resend: () => ({
    channel: "email",
    kind: "resend",
    config: {
      api_key: `re_${randomBytes(6).toString("hex")}`,
      webhook_secret: `whsec_${btoa("test-webhook-secret-of-24")}`,
      from_email: "hello@asha.example",
      from_name: 'Asha "Traders"',
    },
  }),
  "http-mail": () => ({
    channel: "email",
    kind: "http",
    config: { url: "https://mail.example.com/send", from_email: "hello@asha.example" },
  }),
  postmark: () => ({
    channel: "email",
    kind: "postmark",
    config: { server_token: `token-${randomBytes(6).toString("hex")}`, from_email: "hello@asha.example" },
  }),
};

/** Connects a provider, and gives its stand-in the callback address, as its dashboard would. */
export async function connect(
  company: TestCompany,
  kind: keyof typeof CONFIGS,
  fields: { is_default?: true } = {},
): Promise<Provider> {
  const body = { ...CONFIGS[kind](), ...fields };
  const path = "/settings/:company/messaging-providers";
  const { data } = must(await company.call<Provider>("POST", path, { body }), 201).body;
  const config = body.config as Record<string, string>;
  const account = config.auth_key ?? config.api_key ?? config.server_token;
  const secret = config.webhook_secret ?? "";
  if (account !== undefined)
    await sandbox("POST", "/accounts", { account, callback_url: data.callback_url, secret });
  return { ...data, config: body.config };
}

/** A company of the test's own that these providers are connected to. */
export async function openWith(...kinds: (keyof typeof CONFIGS)[]): Promise<TestCompany> {
  const company = await openCompany();
  for (const kind of kinds) await connect(company, kind);
  return company;
}

export const sendSms = (company: TestCompany, fields: object = {}, headers: Record<string, string> = {}) =>
  company.call<{ id: string }>("POST", "/messaging/:company/sms", {
    body: { to: newNumber(), message: "Your order is ready.", ...fields },
    headers,
  });
export const sendChatapp = (company: TestCompany, fields: object = {}) =>
  company.call<{ id: string }>("POST", "/messaging/:company/chatapp", {
    body: { to: newNumber(), template: { name: "order_ready", language: "en" }, ...fields },
  });
export const sendEmail = (company: TestCompany, fields: object = {}) =>
  company.call<{ id: string; sent_count: number; failed: { email: string; code: string }[] }>(
    "POST",
    "/messaging/:company/email",
    { body: { to: newAddress(), subject: "Ready", html: "<p>Your order is ready.</p>", ...fields } },
  );

export async function readMessage(company: TestCompany, id: string): Promise<MessageRecord> {
  return must(await company.call<MessageRecord>("GET", `/messaging/:company/messages/${id}`), 200).body.data;
}

/** Waits until the message has the status. */
export async function until(company: TestCompany, id: string, status: string): Promise<MessageRecord> {
  await expect.poll(async () => (await readMessage(company, id)).status).toBe(status);
  return readMessage(company, id);
}

/** Waits for the one message that the stand-ins were sent to an address. */
export async function arrived(to: string): Promise<Received> {
  await expect.poll(async () => (await received(to)).length).toBe(1);
  const [message] = await received(to);
  if (message === undefined) throw new Error(`Nothing came to ${to}`);
  return message;
}

/** The id of an accepted message. */
export function accepted(answer: Answer<{ id: string }>): string {
  return must(answer, 202).body.data.id;
}

/** What the stand-ins were sent to an address, newest first. */
export async function received(to: string): Promise<Received[]> {
  const { data } = (await sandbox("GET", `?to=${encodeURIComponent(to)}`)) as { data: Received[] };
  return data;
}

/** Lets something happen to a message; gives what the service answered to the provider's callback. */
export async function happen(id: string, event: EventName): Promise<number> {
  return ((await sandbox("POST", `/${encodeURIComponent(id)}/${event}`)) as { answer: number }).answer;
}

/** Lets the receiver of a message, or the last one at a number, write back; returns the answer. */
export async function reply(to: { id: string } | { from: string }, text: string): Promise<number> {
  const path = "id" in to ? `/${encodeURIComponent(to.id)}/reply` : "/replies";
  return ((await sandbox("POST", path, { ...to, text })) as { answer: number }).answer;
}

async function sandbox(method: string, path: string, body?: object): Promise<unknown> {
  const url = `${inject("service").messagesUrl}/messages${path}`;
  const response = await fetch(url, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response.json();
}
