import { describe, expect, test, vi } from "vitest";
import type { MailBinding } from "#core/services.ts";
import { type Email, sendByPlatform } from "#providers/email";
import { ATTACHED, CALENDAR, MAIL, services } from "./provider-service.ts";

describe("the platform's binding", () => {
  const send = (binding: MailBinding["send"], mail: Email = MAIL) =>
    sendByPlatform(
      { ...services(""), mailer: { from: "no-reply@platform.example", binding: { send: binding } } },
      { name: "Asha", email: null },
      mail,
    );
  const failing = (code: string) => send(() => Promise.reject(Object.assign(new Error("told"), { code })));

  test("gives its message's id", async () => {
    expect(await send(async () => ({ messageId: "m1" }))).toEqual({ kind: "accepted", id: "m1" });
  });

  test("is given what an e-mail carries, and nothing of one that carries none", async () => {
    const given: unknown[] = [];
    const keep: MailBinding["send"] = async ({ attachments }) => given.push(attachments);
    await send(keep);
    await send(keep, { ...MAIL, attachments: [] });
    const file = { filename: "lesson.ics", type: CALENDAR, content: ATTACHED, disposition: "attachment" };
    expect(given).toEqual([[file], undefined]);
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
  ])("is asked again after %s, in %i s or later", async (code, retryAfter) => {
    expect(await failing(code)).toEqual({ kind: "busy", retryAfter });
  });

  test("that is silent for 10 seconds leaves the outcome unknown", async () => {
    const over = AbortSignal.abort();
    const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(over);
    const pending = send(() => new Promise(() => {}));
    over.dispatchEvent(new Event("abort"));
    expect(await pending).toEqual({ kind: "unknown", retryAfter: 0 });
    expect(timeout).toHaveBeenCalledExactlyOnceWith(10_000);
    timeout.mockRestore();
  });

  test.each(["", "ECONNRESET", "E_INTERNAL_SERVER_ERROR"])(
    "whose error has the code %j leaves the outcome unknown",
    async (code) => {
      expect(await failing(code)).toEqual({ kind: "unknown", retryAfter: 0 });
    },
  );
});
