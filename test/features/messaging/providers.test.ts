import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { Services } from "#platform/services.ts";
import type { Outcome } from "#providers/delivery";
import { sendByPlatform } from "#providers/email";
import { KINDS } from "#providers/messaging";
import { findFreePort } from "../../../src/sandbox/free-port.ts";

type Asked = { method: string; path: string; headers: Record<string, unknown>; body: unknown };
type Reply = { status: number; body?: unknown; headers?: Record<string, string> } | "reset" | "silence";

let server: Server;
let base: string;
let asked: Asked[];
let reply: Reply;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const form = request.headers["content-type"] === "application/x-www-form-urlencoded";
    const body = form ? Object.fromEntries(new URLSearchParams(text)) : JSON.parse(text);
    asked.push({ method: request.method ?? "", path: request.url ?? "", headers: request.headers, body });
    if (reply === "silence") return;
    if (reply === "reset") request.socket.destroy();
    else response.writeHead(reply.status, reply.headers).end(JSON.stringify(reply.body ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});
beforeEach(() => {
  asked = [];
});

const services = (at = base) =>
  ({ messaging: () => at, mailer: { from: "no-reply@platform.example" } }) as unknown as Services;
const ADDRESSED = {
  to: "919845012345",
  reference: "msg_1",
  callbackUrl: "https://api.example.com/v1/webhooks/x",
};
const SMS = {
  ...ADDRESSED,
  text: "Hi ₹5",
  senderId: "ASHATR",
  templateId: "1107",
  peId: "1101",
  type: "transactional" as const,
};
const MAIL = {
  ...ADDRESSED,
  to: "meera@example.com",
  toName: 'M "N"',
  subject: "Ready",
  html: "<p>x</p>",
  text: "x",
};
const FROM = { from_email: "hello@asha.example", from_name: "Asha", reply_to: "desk@asha.example" };
const TWILIO = `AC${"0".repeat(32)}`;
const CHATAPP = {
  ...ADDRESSED,
  reference: "7:msg_1",
  content: { type: "text" as const, text: { body: "Hi" } },
};

const SENDS = {
  msg91: () => KINDS.sms.msg91.send(services(), { auth_key: "key", country: "91" }, SMS),
  exotel: () =>
    KINDS.sms.exotel.send(
      services(),
      { account_sid: "asha", api_key: "k", api_token: "t", region: "mumbai" },
      SMS,
    ),
  twilio: () => KINDS.sms.twilio.send(services(), { account_sid: TWILIO, auth_token: "t" }, SMS),
  "http-sms": () => KINDS.sms.http.send(services(), { url: "https://x.example", token: "t" }, SMS),
  meta: () =>
    KINDS.chatapp.meta.send(
      services(),
      { phone_number_id: "10002", access_token: "t", api_version: "v23.0" },
      CHATAPP,
    ),
  resend: () => KINDS.email.resend.send(services(), { api_key: "re_k", ...FROM }, MAIL),
  postmark: () =>
    KINDS.email.postmark.send(services(), { server_token: "t", message_stream: "outbound", ...FROM }, MAIL),
  mail: () => sendByPlatform(services(), { name: "Asha", email: "desk@asha.example" }, MAIL),
} satisfies Record<string, () => Promise<Outcome>>;
type Kind = keyof typeof SENDS;
const BASIC = (user: string) => `Basic ${btoa(`${user}:t`)}`;

describe("a provider is asked in its own shape, and its answer names the message", () => {
  test.each<[Kind, Partial<Asked>, unknown]>([
    [
      "msg91",
      {
        path: "/api/v2/sendsms",
        headers: { authkey: "key" },
        body: {
          sender: "ASHATR",
          route: "4",
          country: "91",
          unicode: "1",
          DLT_TE_ID: "1107",
          DLT_PE_ID: "1101",
          sms: [{ message: "Hi ₹5", to: ["919845012345"] }],
        },
      },
      { type: "success", message: "id-1" },
    ],
    [
      "exotel",
      {
        path: "/v1/Accounts/asha/Sms/send.json",
        headers: { authorization: BASIC("k") },
        body: {
          From: "ASHATR",
          To: "919845012345",
          Body: "Hi ₹5",
          SmsType: "transactional",
          CustomField: "msg_1",
          DltTemplateId: "1107",
          DltEntityId: "1101",
          StatusCallback: ADDRESSED.callbackUrl,
        },
      },
      { SMSMessage: { Sid: "id-1", Status: "queued" } },
    ],
    [
      "twilio",
      {
        path: `/2010-04-01/Accounts/${TWILIO}/Messages.json`,
        headers: { authorization: BASIC(TWILIO) },
        body: {
          From: "ASHATR",
          To: "+919845012345",
          Body: "Hi ₹5",
          StatusCallback: `${ADDRESSED.callbackUrl}?reference=msg_1`,
        },
      },
      { sid: "id-1" },
    ],
    [
      "http-sms",
      {
        path: "/",
        headers: { authorization: "Bearer t", "idempotency-key": "msg_1" },
        body: {
          to: "919845012345",
          message: "Hi ₹5",
          sender_id: "ASHATR",
          template_id: "1107",
          pe_id: "1101",
          type: "transactional",
          reference: "msg_1",
          callback_url: ADDRESSED.callbackUrl,
        },
      },
      { id: "id-1" },
    ],
    [
      "meta",
      {
        path: "/v23.0/10002/messages",
        headers: { authorization: "Bearer t" },
        body: {
          messaging_product: "whatsapp",
          recipient_type: "individual",
          to: "919845012345",
          type: "text",
          text: { body: "Hi", preview_url: false },
          biz_opaque_callback_data: "7:msg_1",
        },
      },
      { messages: [{ id: "id-1" }] },
    ],
    [
      "resend",
      {
        path: "/emails",
        headers: { authorization: "Bearer re_k", "idempotency-key": "msg_1" },
        body: {
          from: '"Asha" <hello@asha.example>',
          to: ['"M \\"N\\"" <meera@example.com>'],
          reply_to: "desk@asha.example",
          subject: "Ready",
          html: "<p>x</p>",
          text: "x",
        },
      },
      { id: "id-1" },
    ],
    [
      "postmark",
      {
        path: "/email",
        headers: { "x-postmark-server-token": "t" },
        body: {
          From: '"Asha" <hello@asha.example>',
          To: '"M \\"N\\"" <meera@example.com>',
          ReplyTo: "desk@asha.example",
          Subject: "Ready",
          HtmlBody: "<p>x</p>",
          TextBody: "x",
          MessageStream: "outbound",
          Metadata: { reference: "msg_1" },
        },
      },
      { ErrorCode: 0, MessageID: "id-1" },
    ],
    [
      "mail",
      {
        path: "/",
        body: expect.objectContaining({
          from: '"Asha" <no-reply@platform.example>',
          reply_to: "desk@asha.example",
        }),
      },
      { id: "id-1" },
    ],
  ])("%s", async (kind, expected, body) => {
    reply = { status: 200, body };
    expect(await SENDS[kind]()).toEqual({ kind: "accepted", id: "id-1" });
    expect(asked).toEqual([
      {
        ...expected,
        method: "POST",
        headers: expect.objectContaining(expected.headers ?? {}),
        path: expected.path,
      },
    ]);
  });
});

describe.each(Object.keys(SENDS) as Kind[])("%s", (kind) => {
  test.each([408, 425, 429, 500, 502, 503])("answering %i is asked again later", async (status) => {
    reply = { status, headers: { "Retry-After": "90" } };
    expect(await SENDS[kind]()).toEqual({ kind: "busy", retryAfter: 90 });
  });

  test.each([401, 403])("answering %i has refused its credentials", async (status) => {
    reply = { status };
    expect(await SENDS[kind]()).toMatchObject({ kind: "refused", failure: { code: "provider_auth" } });
  });

  test.each([301, 400, 404, 409, 413])("answering %i has refused for good", async (status) => {
    reply = { status, headers: { Location: "http://127.0.0.1:1/" } };
    expect(await SENDS[kind]()).toMatchObject({ kind: "refused", failure: { code: "provider_rejected" } });
    expect(asked).toHaveLength(1);
  });

  test.each<Reply>(["reset", { status: 504 }, { status: 524 }])(
    "answering nothing (%j) is an unknown outcome",
    async (lost) => {
      reply = lost;
      expect(await SENDS[kind]()).toEqual({ kind: "unknown" });
    },
  );
});

test.each(["http-sms", "meta", "resend"] as const)("%s is waited for 10 seconds", async (kind) => {
  reply = "silence";
  const waits: number[] = [];
  const over = new AbortController();
  const timeout = vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => {
    waits.push(ms);
    setTimeout(() => over.abort(new DOMException("The operation timed out", "TimeoutError")), 50);
    return over.signal;
  });
  expect(await SENDS[kind]()).toEqual({ kind: "unknown" });
  expect(waits).toEqual([10_000]);
  timeout.mockRestore();
});

test("a provider that cannot be connected to was not asked", async () => {
  const nowhere = services(`http://127.0.0.1:${await findFreePort()}`);
  const closed = await KINDS.sms.http.send(nowhere, { url: "https://x.example" }, SMS);
  expect(closed).toEqual({ kind: "busy", retryAfter: 0 });
});

describe("what a provider says against a message", () => {
  const meta = (code: number) => ({ error: { code, message: "m", error_data: { details: "d" } } });
  test.each<[Kind, number, unknown, string]>([
    ["meta", 400, meta(131047), "outside_window"],
    ["meta", 400, meta(132001), "template_not_found"],
    ["meta", 400, meta(132000), "template_params_mismatch"],
    ["meta", 400, meta(131026), "unreachable"],
    ["meta", 400, meta(190), "provider_auth"],
    ["meta", 500, meta(131049), "busy"],
    ["meta", 400, meta(130429), "busy"],
    ["meta", 400, meta(131056), "busy"],
    ["meta", 400, meta(131048), "provider_rejected"],
    ["msg91", 200, { type: "error", message: "Missing Authentication Key", code: "106" }, "provider_auth"],
    ["msg91", 400, { type: "error", message: "Invalid mobile number", code: "113" }, "invalid_recipient"],
    ["exotel", 400, { RestException: { Message: "The 'From' is no valid sender" } }, "sender_not_approved"],
    ["exotel", 400, { RestException: { Message: "Invalid 'To' number" } }, "invalid_recipient"],
    ["twilio", 400, { code: 21211, message: "Invalid 'To'" }, "invalid_recipient"],
    ["twilio", 400, { code: 21610, message: "unsubscribed" }, "not_opted_in"],
    ["resend", 422, { name: "validation_error", message: "Invalid `to` field" }, "invalid_recipient"],
    ["resend", 409, { name: "concurrent_idempotent_requests" }, "busy"],
    ["postmark", 422, { ErrorCode: 406, Message: "inactive" }, "suppressed"],
    ["postmark", 422, { ErrorCode: 300, Message: "Invalid 'To' address" }, "invalid_recipient"],
    ["postmark", 422, { ErrorCode: 400, Message: "no sender signature" }, "sender_not_approved"],
  ])("%s %i %j: %s", async (kind, status, body, expected) => {
    reply = { status, body };
    const outcome = await SENDS[kind]();
    expect(outcome.kind === "refused" ? outcome.failure.code : outcome.kind).toBe(expected);
  });
});

describe("the platform's binding", () => {
  const send = (binding: () => Promise<unknown>) =>
    sendByPlatform(
      { ...services(), mailer: { from: "no-reply@platform.example", binding: { send: binding } } },
      { name: "Asha", email: null },
      MAIL,
    );
  const failing = (code: string) => send(() => Promise.reject(Object.assign(new Error("told"), { code })));

  test("gives its message's id", async () => {
    expect(await send(async () => ({ messageId: "m1" }))).toEqual({ kind: "accepted", id: "m1" });
  });

  // All that Cloudflare's "Send emails, Workers API" lists.
  test.each([
    ["E_RECIPIENT_SUPPRESSED", "suppressed"],
    ["E_DELIVERY_FAILED", "unreachable"],
    ["E_SENDER_NOT_VERIFIED", "sender_not_approved"],
    ["E_SENDER_DOMAIN_NOT_AVAILABLE", "sender_not_approved"],
    ["E_VALIDATION_ERROR", "provider_rejected"],
    ["E_FIELD_MISSING", "provider_rejected"],
    ["E_TOO_MANY_RECIPIENTS", "provider_rejected"],
    ["E_RECIPIENT_NOT_ALLOWED", "provider_rejected"],
    ["E_CONTENT_TOO_LARGE", "provider_rejected"],
    ["E_HEADER_NOT_ALLOWED", "provider_rejected"],
    ["E_HEADER_USE_API_FIELD", "provider_rejected"],
    ["E_HEADER_VALUE_INVALID", "provider_rejected"],
    ["E_HEADER_VALUE_TOO_LONG", "provider_rejected"],
    ["E_HEADER_NAME_INVALID", "provider_rejected"],
    ["E_HEADERS_TOO_LARGE", "provider_rejected"],
    ["E_HEADERS_TOO_MANY", "provider_rejected"],
  ])("refuses for good with %s: %s", async (code, expected) => {
    const failure = { code: expected, message: "told", provider_code: code };
    expect(await failing(code)).toEqual({ kind: "refused", failure });
  });

  test.each([
    ["E_RATE_LIMIT_EXCEEDED", 0],
    ["E_DAILY_LIMIT_EXCEEDED", 3_600],
    ["E_INTERNAL_SERVER_ERROR", 0],
  ])("is asked again after %s, in %i s or later", async (code, retryAfter) => {
    expect(await failing(code)).toEqual({ kind: "busy", retryAfter });
  });

  test("that is silent for 10 seconds leaves the outcome unknown", async () => {
    const over = AbortSignal.abort();
    const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(over);
    const pending = send(() => new Promise(() => {}));
    over.dispatchEvent(new Event("abort"));
    expect(await pending).toEqual({ kind: "unknown" });
    expect(timeout).toHaveBeenCalledExactlyOnceWith(10_000);
    timeout.mockRestore();
  });

  test.each(["", "ECONNRESET"])("whose error has the code %j leaves the outcome unknown", async (code) => {
    expect(await failing(code)).toEqual({ kind: "unknown" });
  });
});
