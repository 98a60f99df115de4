import { describe, expect, test, vi } from "vitest";
import { KINDS } from "#providers/messaging";
import { findFreePort } from "../../../../src/sandbox/database-server/free-port.ts";
import { type Kind, SENDS, SMS, services, startProviderService } from "./provider-service.ts";

const service = startProviderService();
// The others take any 2xx for a yes, and a message without an id ends as unknown where receipts could not find it.
const JUDGED_BY_BODY = new Set<Kind>(["msg91", "postmark"]);

describe.each(Object.keys(SENDS) as Kind[])("%s", (kind) => {
  test("answering 429 is asked again later", async () => {
    service.reply = { status: 429, headers: { "Retry-After": "90" } };
    expect(await SENDS[kind](service.base)).toEqual({ kind: "busy", retryAfter: 90 });
  });

  test.each([408, 425, 500, 502, 503, 504, 520, 524])("answering %i may have sent it", async (status) => {
    service.reply = { status, headers: { "Retry-After": "90" } };
    expect(await SENDS[kind](service.base)).toEqual({ kind: "unknown", retryAfter: 90 });
  });

  test("answering 200 with an unknown body may have sent it", async () => {
    service.reply = { status: 200, body: "thanks" };
    const outcome = await SENDS[kind](service.base);
    expect(outcome.kind === "accepted" ? outcome.id : outcome.kind).toBe(
      JUDGED_BY_BODY.has(kind) ? "unknown" : null,
    );
  });

  test.each([401, 403])("answering %i has refused its credentials", async (status) => {
    service.reply = { status };
    expect(await SENDS[kind](service.base)).toMatchObject({
      kind: "refused",
      failure: { code: "provider_auth" },
    });
  });

  test("answering 403 by what stands before it has refused the message, and no credentials", async () => {
    service.reply = { status: 403, body: "error code: 1010" };
    expect(await SENDS[kind](service.base)).toEqual({
      kind: "refused",
      failure: {
        code: "provider_rejected",
        message: "The provider answered 403",
        provider_code: "403",
      },
    });
  });

  test.each([301, 400, 404, 409, 413])("answering %i has refused for good", async (status) => {
    service.reply = { status, headers: { Location: "http://127.0.0.1:1/" } };
    expect(await SENDS[kind](service.base)).toMatchObject({
      kind: "refused",
      failure: { code: "provider_rejected" },
    });
    expect(service.asked).toHaveLength(1);
  });

  test("answering nothing is an unknown outcome", async () => {
    service.reply = "reset";
    expect(await SENDS[kind](service.base)).toEqual({ kind: "unknown", retryAfter: 0 });
  });
});

test("resend has taken the e-mail before where its key came with another body", async () => {
  service.reply = { status: 409, body: { name: "invalid_idempotent_request", message: "told" } };
  expect(await SENDS.resend(service.base)).toEqual({ kind: "accepted", id: null });
});

test.each(["http-sms", "meta", "resend"] as const)("%s is waited for 10 seconds", async (kind) => {
  service.reply = "silence";
  const waits: number[] = [];
  const over = new AbortController();
  const timeout = vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => {
    waits.push(ms);
    setTimeout(() => over.abort(new DOMException("The operation timed out", "TimeoutError")), 50);
    return over.signal;
  });
  expect(await SENDS[kind](service.base)).toEqual({ kind: "unknown", retryAfter: 0 });
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

  test("meta is too busy for one number: others need not wait", async () => {
    service.reply = { status: 429, body: meta(131056) };
    const outcome = { kind: "busy", retryAfter: 0, isOfRecipient: true };
    expect(await SENDS.meta(service.base)).toEqual(outcome);
  });

  test.each<[Kind, number, unknown, string]>([
    ["meta", 400, meta(131047), "outside_window"],
    ["meta", 400, meta(132001), "template_not_found"],
    ["meta", 400, meta(132000), "template_params_mismatch"],
    ["meta", 400, meta(131026), "unreachable"],
    ["meta", 400, meta(190), "provider_auth"],
    ["meta", 500, meta(131049), "unknown"],
    ["meta", 400, meta(130429), "busy"],
    ["meta", 503, meta(133004), "busy"],
    ["meta", 500, meta(131000), "unknown"],
    ["meta", 400, meta(131048), "provider_rejected"],
    ["msg91", 200, { type: "error", message: "Missing Authentication Key", code: "106" }, "provider_auth"],
    ["msg91", 429, { type: "error", message: "Too many requests" }, "busy"],
    ["msg91", 400, { type: "error", message: "Invalid mobile number", code: "113" }, "invalid_recipient"],
    ["exotel", 400, { RestException: { Message: "The 'From' is no valid sender" } }, "sender_not_approved"],
    ["exotel", 400, { RestException: { Message: "Invalid 'To' number" } }, "invalid_recipient"],
    ["twilio", 400, { code: 21211, message: "Invalid 'To'" }, "invalid_recipient"],
    ["twilio", 400, { code: 21610, message: "unsubscribed" }, "not_opted_in"],
    ["resend", 422, { name: "validation_error", message: "Invalid `to` field" }, "invalid_recipient"],
    ["resend", 403, { name: "invalid_api_key", message: "API key is invalid" }, "provider_auth"],
    ["resend", 403, { name: "validation_error", message: "Not verified" }, "sender_not_approved"],
    ["resend", 409, { name: "concurrent_idempotent_requests" }, "busy"],
    ["postmark", 503, { ErrorCode: 100, Message: "Maintenance" }, "busy"],
    ["postmark", 422, { ErrorCode: 406, Message: "inactive" }, "suppressed"],
    ["postmark", 422, { ErrorCode: 300, Message: "Invalid 'To' address" }, "invalid_recipient"],
    ["postmark", 422, { ErrorCode: 400, Message: "no sender signature" }, "sender_not_approved"],
  ])("%s %i %j: %s", async (kind, status, body, expected) => {
    service.reply = { status, body };
    const outcome = await SENDS[kind](service.base);
    expect(outcome.kind === "refused" ? outcome.failure.code : outcome.kind).toBe(expected);
  });
});
