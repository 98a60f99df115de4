import { createHmac } from "node:crypto";
import { describe, expect, inject, test } from "vitest";
import { openCompany } from "../../../support/company.ts";
import { send } from "../../../support/http.ts";
import { accepted, connect, happen, newNumber, readMessage, received, sendSms, until } from "../provider.ts";
import { sent, unmatched } from "./chatapp-callback.ts";

const own = await openCompany();

describe("an SMS callback", () => {
  test("of a wrong token, kind or company is 404, and of a wrong signature 401", async () => {
    const other = await openCompany();
    const { callback_url: url } = await connect(own, "twilio");
    const path = url.slice(inject("service").url.length);
    const body = "MessageSid=SM1&MessageStatus=delivered";
    const headers = {
      "Content-Type": "application/x-www-form-urlencoded",
      "X-Twilio-Signature": btoa("wrong"),
    };
    expect((await send("POST", path, { body, headers })).status).toBe(401);
    for (const wrong of [
      path.replace(/.$/, "-"),
      path.replace("twilio", "exotel"),
      path.replace(own.slug, other.slug),
    ])
      expect((await send("POST", wrong, { body, headers })).status).toBe(404);
  });

  test("says failed, rejected, or STOP, and then nothing more is sent", async () => {
    await connect(own, "twilio", { is_default: true });
    const to = newNumber();
    const id = accepted(await sendSms(own, { to }));
    await until(own, id, "submitted");
    const [sms] = await received(to);
    expect(await happen(sms?.id ?? "", "failed")).toBe(200);
    expect(await readMessage(own, id)).toMatchObject({
      status: "failed",
      error: { code: "unreachable", provider_code: "30003" },
    });
    expect(await happen(sms?.id ?? "", "rejected")).toBe(200);
    expect(await readMessage(own, id)).toMatchObject({ status: "rejected" });
    expect(await happen(sms?.id ?? "", "stop")).toBe(200);
    // The same person, with and without the country code.
    for (const number of [to, to.slice(2)]) {
      const next = accepted(await sendSms(own, { to: number }));
      expect(await readMessage(own, next)).toMatchObject({
        status: "rejected",
        error: { code: "not_opted_in" },
      });
    }
    expect(await received(to)).toHaveLength(1);
  });

  test("speaks of its own provider's messages alone, whatever reference it names", async () => {
    const { callback_url: url } = await connect(own, "http-sms");
    await connect(own, "meta");
    const { id } = await sent(own);
    const path = url.slice(inject("service").url.length);
    const body = { id: "sms-1", reference: id, status: "rejected" };
    expect((await send("POST", path, { body })).status).toBe(200);
    expect(await readMessage(own, id)).toMatchObject({ status: "sent", error: null });
  });

  test("before the provider's answer waits for it, a receipt by its query string as well", async () => {
    const { callback_url: url } = await connect(own, "exotel");
    const path = url.slice(inject("service").url.length);
    const query = "?SmsSid=early&Status=sent&DetailedStatus=DELIVERED_TO_HANDSET&DetailedStatusCode=20005";
    expect((await send("GET", path + query)).status).toBe(200);
    expect(await unmatched(own, "early")).toBe(1);
  });
});

test("an e-mail callback with a wrong signature, or one of long ago, is 401; a right one holds whatever the company's clock", async () => {
  const { callback_url: url, config } = await connect(own, "resend");
  await own.clock(3_600);
  const key = Buffer.from(String(config.webhook_secret).replace("whsec_", ""), "base64");
  const bounce = { type: "Permanent", subType: "General", message: "No such user" };
  const body = JSON.stringify({
    type: "email.bounced",
    data: { email_id: "e1", to: ["m@a.example"], bounce },
  });
  const now = Math.floor(Date.now() / 1_000);
  const tell = async (time: number, signed = body) => {
    const signature = createHmac("sha256", key).update(`msg_1.${time}.${signed}`).digest("base64");
    const headers = {
      "svix-id": "msg_1",
      "svix-timestamp": String(time),
      "svix-signature": `v1,AAAA v1,${signature}`,
    };
    return (await send("POST", url.slice(inject("service").url.length), { body, headers })).status;
  };
  const suppressed = () => own.rows("SELECT email, reason FROM email_suppressions");
  expect([await tell(now, `${body} `), await tell(now - 400), await tell(Number.NaN)]).toEqual([
    401, 401, 401,
  ]);
  expect(await suppressed()).toEqual([]);
  expect(await tell(now)).toBe(200);
  expect(await suppressed()).toMatchObject([{ email: "m@a.example", reason: "hard_bounce" }]);
});
