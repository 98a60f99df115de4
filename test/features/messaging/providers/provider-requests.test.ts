import { expect, test } from "vitest";
import {
  ADDRESSED,
  type Asked,
  ATTACHED,
  CALENDAR,
  type Kind,
  SENDS,
  startProviderService,
  TWILIO,
} from "./provider-service.ts";

const service = startProviderService();
const FILE = { filename: "lesson.ics", content: ATTACHED, content_type: CALENDAR };
const BASIC = (user: string) => `Basic ${btoa(`${user}:t`)}`;

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
        EncodingType: "unicode",
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
        attachments: [FILE],
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
        Attachments: [{ Name: "lesson.ics", Content: ATTACHED, ContentType: CALENDAR }],
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
        attachments: [FILE],
      }),
    },
    { id: "id-1" },
  ],
])(
  "a provider is asked in its own shape, and its answer names the message: %s",
  async (kind, expected, body) => {
    service.reply = { status: 200, body };
    expect(await SENDS[kind](service.base)).toEqual({ kind: "accepted", id: "id-1" });
    expect(service.asked).toEqual([
      {
        ...expected,
        method: "POST",
        headers: expect.objectContaining(expected.headers ?? {}),
        path: expected.path,
      },
    ]);
  },
);
