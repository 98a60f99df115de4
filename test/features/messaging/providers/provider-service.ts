import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach } from "vitest";
import type { Services } from "#core/services.ts";
import type { SendResult } from "#providers/delivery";
import { sendByPlatform } from "#providers/email";
import { KINDS } from "#providers/messaging";

export type Asked = { method: string; path: string; headers: Record<string, unknown>; body: unknown };
type Reply = { status: number; body?: unknown; headers?: Record<string, string> } | "reset" | "silence";

/** Starts a service in place of a provider's, for the tests of the file that calls it: what it was asked, and what it answers. */
export function startProviderService() {
  const service = { base: "", asked: [] as Asked[], reply: { status: 200 } as Reply };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const form = request.headers["content-type"] === "application/x-www-form-urlencoded";
    const body = form ? Object.fromEntries(new URLSearchParams(text)) : JSON.parse(text);
    const { method = "", url: path = "", headers } = request;
    service.asked.push({ method, path, headers, body });
    const { reply } = service;
    if (reply === "silence") return;
    if (reply === "reset") request.socket.destroy();
    else {
      const { body: told = {} } = reply;
      response
        .writeHead(reply.status, reply.headers)
        .end(typeof told === "string" ? told : JSON.stringify(told));
    }
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    service.base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });
  beforeEach(() => {
    service.asked = [];
  });
  return service;
}

/** What a provider sends by, where its service stands at this address. */
export const services = (at: string) =>
  ({ addressOf: () => at, mailer: { from: "no-reply@platform.example" } }) as unknown as Services;
export const ADDRESSED = {
  to: "919845012345",
  reference: "msg_1",
  callbackUrl: "https://api.example.com/v1/webhooks/x",
};
export const SMS = {
  ...ADDRESSED,
  text: "Hi ₹5",
  senderId: "ASHATR",
  templateId: "1107",
  peId: "1101",
  type: "transactional" as const,
};
export const CALENDAR = "text/calendar; charset=utf-8; method=PUBLISH";
export const MAIL = {
  ...ADDRESSED,
  to: "meera@example.com",
  toName: 'M "N"',
  unsubscribeUrl: null,
  fromName: null,
  attachments: [{ name: "lesson.ics", type: CALENDAR, text: "न\r\n" }],
  subject: "Ready",
  html: "<p>x</p>",
  text: "x",
};
/** What is attached to the e-mail above, in base64. */
export const ATTACHED = "4KSoDQo=";
const FROM = { from_email: "hello@asha.example", from_name: "Asha", reply_to: "desk@asha.example" };
export const TWILIO = `AC${"0".repeat(32)}`;
export const META = { phone_number_id: "10002", access_token: "t", api_version: "v23.0" };
const CHATAPP = {
  ...ADDRESSED,
  reference: "7:msg_1",
  content: { type: "text" as const, text: { body: "Hi" } },
};

/** One message by each kind of provider, whose service stands at this address. */
export const SENDS = {
  msg91: (at: string) => KINDS.sms.msg91.send(services(at), { auth_key: "key", country: "91" }, SMS),
  exotel: (at: string) =>
    KINDS.sms.exotel.send(
      services(at),
      { account_sid: "asha", api_key: "k", api_token: "t", region: "mumbai" },
      SMS,
    ),
  twilio: (at: string) => KINDS.sms.twilio.send(services(at), { account_sid: TWILIO, auth_token: "t" }, SMS),
  "http-sms": (at: string) =>
    KINDS.sms.http.send(services(at), { url: "https://x.example", token: "t" }, SMS),
  meta: (at: string) => KINDS.chatapp.meta.send(services(at), META, CHATAPP),
  resend: (at: string) => KINDS.email.resend.send(services(at), { api_key: "re_k", ...FROM }, MAIL),
  postmark: (at: string) =>
    KINDS.email.postmark.send(services(at), { server_token: "t", message_stream: "outbound", ...FROM }, MAIL),
  mail: (at: string) => sendByPlatform(services(at), { name: "Asha", email: "desk@asha.example" }, MAIL),
} satisfies Record<string, (at: string) => Promise<SendResult>>;
export type Kind = keyof typeof SENDS;
