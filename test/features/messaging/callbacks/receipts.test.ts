import { createHmac } from "node:crypto";
import { describe, expect, test, vi } from "vitest";
import type { Received } from "#providers/delivery";
import { KINDS } from "#providers/messaging";
import { receiveChatapp } from "../../../../src/features/messaging/callbacks/receive-chatapp.ts";

const encoder = new TextEncoder();
type Fields = Record<string, string>;

function callbackOf(fields: Fields | object, json: boolean) {
  const body = json ? JSON.stringify(fields) : new URLSearchParams(fields as Fields).toString();
  const type = json ? "application/json" : "application/x-www-form-urlencoded";
  return {
    params: {},
    method: "POST",
    url: "https://api.example.com/v1/webhooks/sms/acme/x/y",
    headers: new Headers({ "Content-Type": type }),
    body: new Uint8Array(encoder.encode(body)),
    receivedAt: 0,
  };
}

/** A callback of the chat-app about one change of an account. */
const changed = (change: object) => ({ object: "whatsapp_business_account", entry: [{ changes: [change] }] });

async function receiptOf(kind: keyof typeof KINDS.sms, fields: Fields | object, json = false) {
  const received = await KINDS.sms[kind].receive?.(callbackOf(fields, json), {} as never);
  const [receipt] = received?.receipts ?? [];
  return receipt === undefined ? null : `${receipt.status} ${receipt.failure?.code ?? ""}`.trim();
}

const msg91 = (status: string, desc: string) =>
  receiptOf("msg91", {
    data: JSON.stringify([{ requestId: "r1", report: [{ number: "91", status, desc }] }]),
  });
const exotel = (Status: string, DetailedStatus: string, DetailedStatusCode: string) =>
  receiptOf("exotel", { SmsSid: "s1", Status, DetailedStatus, DetailedStatusCode });

describe("a carrier's report is a status of ours", () => {
  test.each([
    ["1", "DELIVERED", "delivered"],
    ["2", "FAILED", "failed unreachable"],
    ["2", "Invalid number", "failed invalid_recipient"],
    ["9", "NDNC number", "rejected dnd_blocked"],
    ["16", "Rejected 602 template mismatch", "rejected dlt_rejected"],
    ["16", "Rejected by carrier", "rejected provider_rejected"],
    ["17", "blocked number", "rejected provider_rejected"],
    ["25", "DLT scrubbing failed", "rejected dlt_rejected"],
    ["5", "pending", null],
  ])("msg91 %s %s: %s", async (status, words, expected) => {
    expect(await msg91(status, words)).toBe(expected);
  });

  test("msg91's later versions post one flat report", async () => {
    expect(await receiptOf("msg91", { requestId: "r1", status: "Delivered" }, true)).toBe("delivered");
    expect(await receiptOf("msg91", { requestId: "r1", status: "Failed", failedReason: "DND" }, true)).toBe(
      "rejected dnd_blocked",
    );
  });

  test.each([
    ["sent", "DELIVERED_TO_HANDSET", "20005", "delivered"],
    ["sent", "DELIVERED_TO_OPERATOR", "20006", null],
    ["submitted", "PENDING_TO_OPERATOR", "20010", null],
    ["sent", "", "", null],
    ["delivered", "DELIVERED_TO_HANDSET", "20000", "delivered"],
    ["delivered", "", "", "delivered"],
    ["expired", "", "", "failed expired"],
    ["undelivered", "ABSENT_SUBSCRIBER", "21003", "failed unreachable"],
    ["failed_dnd", "PREFERENCE_BLOCKED", "23005", "rejected dnd_blocked"],
    ["failed", "SPAM", "23015", "rejected provider_rejected"],
    ["failed", "BLACKLISTED", "23020", "rejected provider_rejected"],
    ["failed", "SENDER_ID", "23072", "rejected sender_not_approved"],
    ["failed", "DLT_ENTITY", "23080", "rejected dlt_rejected"],
    ["failed", "DLT_TEMPLATE", "23083", "rejected dlt_rejected"],
    ["failed", "SCRUBBED", "639", "rejected dlt_rejected"],
    ["failed", "ABSENT_SUBSCRIBER", "21003", "failed unreachable"],
    ["failed", "MESSAGE_EXPIRED", "21010", "failed unreachable"],
    ["failed", "UNKNOWN_SUBSCRIBER", "21001", "failed invalid_recipient"],
  ])("exotel %s %s %s: %s", async (status, words, code, expected) => {
    expect(await exotel(status, words, code)).toBe(expected);
  });

  test("the generic gateway says it in our words", async () => {
    expect(await receiptOf("http", { id: "1", status: "delivered" }, true)).toBe("delivered");
    expect(await receiptOf("http", { id: "1", status: "failed", code: "23005" }, true)).toBe(
      "failed dnd_blocked",
    );
    expect(await receiptOf("http", { id: "1", status: "submitted" }, true)).toBeNull();
    expect(await receiptOf("http", {}, true)).toBeNull();
  });
});

describe("a mail server's report", () => {
  const told = async (event: object) =>
    (await KINDS.email.resend.receive?.(callbackOf(event, true), {} as never)) ?? {};
  const bounced = (to: unknown, type = "Permanent") => ({
    type: "email.bounced",
    data: { email_id: "e1", to, bounce: { type, subType: "General", message: "No such user" } },
  });

  test.each([[["m@a.example"]], ["m@a.example"], [['"M, N" <m@a.example>']], [["M <m@a.example>"]]])(
    "of a bounce suppresses the address alone, as it stands in %j",
    async (to) => {
      expect(await told(bounced(to))).toMatchObject({
        suppressions: [{ email: "m@a.example", reason: "hard_bounce" }],
        receipts: [{ provider_message_id: "e1", status: "failed" }],
      });
    },
  );

  test("of a soft bounce suppresses no address, of a complaint the one that made it", async () => {
    for (const type of ["Transient", "Undetermined"])
      expect(await told(bounced(["m@a.example"], type))).toEqual({
        receipts: [expect.objectContaining({ status: "sent", failure: expect.anything() })],
      });
    expect(await told({ type: "email.complained", data: { to: ["M <m@a.example>"] } })).toEqual({
      suppressions: [{ email: "m@a.example", reason: "complaint" }],
    });
  });

  const summary = (received: Received | undefined) => {
    const [receipt] = received?.receipts ?? [];
    const [suppression] = received?.suppressions ?? [];
    return `${receipt?.status ?? "-"} ${receipt?.failure?.code ?? "-"} ${suppression?.reason ?? "-"}`;
  };

  test.each([
    ["email.suppressed", { suppressed: { message: "On the list", type: "OnAccountSuppressionList" } }],
    ["email.failed", { failed: { reason: "reached_daily_quota" } }],
    ["email.delivery_delayed", {}],
  ])("resend %s", async (type, more) => {
    const expected = {
      "email.suppressed": "failed suppressed hard_bounce",
      "email.failed": "failed provider_rejected -",
      "email.delivery_delayed": "- - -",
    }[type];
    expect(summary(await told({ type, data: { email_id: "e1", to: ["m@a.example"], ...more } }))).toBe(
      expected,
    );
  });

  test.each([
    ["HardBounce", "failed invalid_recipient hard_bounce"],
    ["BadEmailAddress", "failed invalid_recipient hard_bounce"],
    ["ManuallyDeactivated", "failed suppressed manual"],
    ["SoftBounce", "sent unreachable -"],
    ["DnsError", "sent unreachable -"],
    ["Blocked", "sent provider_rejected -"],
    ["SpamNotification", "sent provider_rejected -"],
    ["DMARCPolicy", "sent sender_not_approved -"],
    ["AutoResponder", "- - -"],
    ["Transient", "- - -"],
  ])("postmark %s: %s", async (Type, expected) => {
    const event = { RecordType: "Bounce", Type, TypeCode: 1, MessageID: "e1", Email: "m@a.example" };
    const receive = (body: object) => KINDS.email.postmark.receive?.(callbackOf(body, true), {} as never);
    expect(summary(await receive({ ...event, Inactive: false }))).toBe(expected);
    const ended = await receive({ ...event, Inactive: true });
    expect(ended?.suppressions?.length ?? 0).toBe(expected === "- - -" ? 0 : 1);
  });

  test.each([
    ["resend", { type: "email.bounced", data: {} }, "form"],
    ["resend", { kind: "email.bounced" }, "form"],
    ["resend", { type: "email.eaten", data: { to: ["m@a.example"] } }, "type"],
    ["resend", { type: "parcel.sent", data: {} }, "type"],
    ["resend", { type: "email.opened", data: {} }, undefined],
    ["resend", { type: "contact.created", data: {} }, undefined],
    ["postmark", { Record: "Bounce" }, "form"],
    ["postmark", { RecordType: "Bounce", Type: "HardBounce" }, "form"],
    ["postmark", { RecordType: "Bounce", Type: "Eaten", Email: "m@a.example" }, "type"],
    ["postmark", { RecordType: "Parcel", Email: "m@a.example" }, "type"],
    ["postmark", { RecordType: "Open" }, undefined],
    ["exotel", { MessageSid: "s1", Status: "sent" }, "form"],
    ["exotel", { SmsSid: "s1" }, "form"],
    ["exotel", { SmsSid: "s1", Status: "eaten" }, "type"],
    ["exotel", { SmsSid: "s1", Status: "submitted" }, undefined],
    // Version 4, as CleverTap takes it, names no request.
    ["msg91", [{ data: [{ meta: "0", INMSID: "0", description: "DELIVERED" }], event: "delivered" }], "form"],
    ["msg91", { requestId: "r1" }, "form"],
    ["msg91", { requestId: "r1", status: "99" }, "type"],
    ["msg91", { data: '[{"requestId":"r1","report":[{"status":"99"}]}]' }, "type"],
    ["msg91", { requestId: "r1", status: "5" }, undefined],
    ["http", { message: "delivered" }, "form"],
    ["http", { id: "1" }, "form"],
    ["http", { id: "1", status: "eaten" }, "type"],
    ["http", { id: "1", status: "submitted" }, undefined],
  ] as const)("of another form or type is known as such: %s %j", async (kind, event, expected) => {
    const { receive } = { ...KINDS.email, ...KINDS.sms }[kind];
    expect((await receive?.(callbackOf(event, true), {} as never))?.unread).toBe(expected);
  });

  test.each([
    [{ object: "page" }, ["callback_form"]],
    [changed({ fields: "messages" }), ["callback_form"]],
    [changed({ field: "account_update" }), ["callback_type"]],
    [changed({ field: "messages", value: {} }), []],
  ])("of another form or field of the chat-app is logged as such: %j", async (body, expected) => {
    const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const callback = callbackOf(body, true);
    const hex = createHmac("sha256", "secret").update(callback.body).digest("hex");
    callback.headers.set("X-Hub-Signature-256", `sha256=${hex}`);
    const nobody = async () => ({ byId: new Map(), byNumber: new Map() });
    expect(await receiveChatapp(nobody, callback, "secret")).toEqual({ received: true });
    expect(log.mock.calls.map(([line]) => JSON.parse(line).fault)).toEqual(expected);
    log.mockRestore();
  });

  test.each([
    [true, "HardBounce", "Recipient", "hard_bounce"],
    [true, "SpamComplaint", "Recipient", "complaint"],
    [true, "ManualSuppression", "Recipient", "unsubscribe"],
    [true, "ManualSuppression", "Customer", "manual"],
    [false, null, "Customer", "-"],
  ])(
    "postmark SubscriptionChange %s %s by %s: %s",
    async (SuppressSending, SuppressionReason, Origin, reason) => {
      const change = { RecordType: "SubscriptionChange", Recipient: "m@a.example", MessageID: null };
      const event = { ...change, SuppressSending, SuppressionReason, Origin };
      const received = await KINDS.email.postmark.receive?.(callbackOf(event, true), {} as never);
      expect(summary(received)).toBe(`- - ${reason}`);
    },
  );
});
