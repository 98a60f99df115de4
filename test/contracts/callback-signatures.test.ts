import fc from "fast-check";
import { Webhook } from "svix";
import { getExpectedTwilioSignature, validateRequest } from "twilio/lib/webhooks/webhooks.js";
import { expect, test } from "vitest";
import { KINDS } from "#providers/messaging";

const AT =
  "https://api.example.com/v1/webhooks/sms/asha/twilio/Zm9v?reference=msg_01KAJ0V5Y3Q8R6N2T4W7X9Z1BC";
const TOKEN = "an-auth-token";
const SECRET = `whsec_${btoa("a-secret-of-24-bytes-here")}`;
const OTHER_SECRET = `whsec_${btoa("a-secret-of-another-name")}`;
const DATED = Date.parse("2026-11-21T09:30:00Z");

const bytes = (text: string) => new Uint8Array(new TextEncoder().encode(text));

test("a callback is taken with the signature that Twilio's own library makes, and with no other", async () => {
  type Told = { url?: string; body?: string; token?: string };
  const field = fc.string({ unit: "grapheme", maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(fc.dictionary(field, field, { noNullPrototype: true }), async (others) => {
      const fields = { ...others, MessageSid: "SM1", MessageStatus: "delivered" };
      const form = new URLSearchParams(fields).toString();
      const take = (signature: string, { url = AT, body = form, token = TOKEN }: Told = {}) => {
        const headers = new Headers({
          "Content-Type": "application/x-www-form-urlencoded",
          "X-Twilio-Signature": signature,
        });
        const callback = { params: {}, method: "POST", url, headers, body: bytes(body), receivedAt: DATED };
        return KINDS.sms.twilio.receive?.(callback, { auth_token: token } as never);
      };
      const places = [AT, AT.replace(".com/", ".com:443/")];
      for (const signed of places) {
        const signature = getExpectedTwilioSignature(TOKEN, signed, fields);
        expect(validateRequest(TOKEN, signature, AT, fields)).toBe(true);
        const receipt = {
          provider_message_id: "SM1",
          status: "delivered",
          reference: "msg_01KAJ0V5Y3Q8R6N2T4W7X9Z1BC",
        };
        for (const url of places)
          expect(await take(signature, { url })).toMatchObject({ receipts: [receipt] });
        for (const wrong of [
          { url: AT.replace("msg_", "msg-") },
          { url: AT.replace("api.", "other.") },
          { body: `${form}&ErrorCode=30003` },
          { body: form.replace("delivered", "undelivered") },
          { token: `${TOKEN}x` },
        ])
          expect(await take(signature, wrong), JSON.stringify(wrong)).toBeUndefined();
      }
      for (const none of ["", btoa("x"), getExpectedTwilioSignature(TOKEN, AT, {})])
        expect(await take(none)).toBeUndefined();
    }),
  );
});

test("an event is taken with the signature that Svix's own library makes, for five minutes, and with no other", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "grapheme" }), fc.string(), async (subject, id) => {
      const body = JSON.stringify({ type: "email.complained", data: { to: ["m@a.example"], subject } });
      const name = `msg_${encodeURIComponent(id)}`;
      const signature = new Webhook(SECRET).sign(name, new Date(DATED), body);
      const take = (
        told: { name?: string; at?: number; body?: string; secret?: string; late?: number } = {},
      ) => {
        const headers = new Headers({
          "svix-id": told.name ?? name,
          "svix-timestamp": String((told.at ?? DATED) / 1_000),
          "svix-signature": `v1,${btoa("of the old secret")} ${signature}`,
        });
        const receivedAt = DATED + (told.late ?? 0) * 1_000;
        const callback = { params: {}, method: "POST", url: AT, headers, receivedAt };
        const config = { webhook_secret: told.secret ?? SECRET } as never;
        return KINDS.email.resend.receive?.({ ...callback, body: bytes(told.body ?? body) }, config);
      };
      for (const late of [0, 300, -300])
        expect(await take({ late })).toMatchObject({ suppressions: [{ email: "m@a.example" }] });
      for (const wrong of [
        { late: 301 },
        { late: -301 },
        { name: `${name}x` },
        { at: DATED + 1_000 },
        { body: `${body} ` },
        { secret: OTHER_SECRET },
      ])
        expect(await take(wrong), JSON.stringify(wrong)).toBeUndefined();
    }),
  );
});
