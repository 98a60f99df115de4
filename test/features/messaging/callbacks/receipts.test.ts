import { describe, expect, test } from "vitest";
import { KINDS } from "#providers/messaging";

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
    expect(await told(bounced(["m@a.example"], "Transient"))).toEqual({});
    expect(await told({ type: "email.complained", data: { to: ["M <m@a.example>"] } })).toEqual({
      suppressions: [{ email: "m@a.example", reason: "complaint" }],
    });
  });
});
