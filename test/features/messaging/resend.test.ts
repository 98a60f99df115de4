import { describe, expect, test } from "vitest";
import { must } from "../../support/company.ts";
import { refusal } from "../refusal.ts";
import {
  accepted,
  arrived,
  newAddress,
  newNumber,
  openWith,
  readMessage,
  received,
  sendChatapp,
  sendEmail,
  sendSms,
  until,
} from "./provider.ts";

type Sent = { id: string; to: string | string[]; resent_from: string };

const company = await openWith("msg91", "meta", "resend");
await company.raiseLimit();

const resend = (id: string, more: object = {}) =>
  company.call<Sent>("POST", `/messaging/:company/messages/${id}/resend`, more);

describe("a message is sent again", () => {
  test("to those of its recipients that failed, as a new one that names it", async () => {
    const [good, bad] = [newAddress(), newAddress()];
    const suppression = { email: bad };
    const listed = await company.make<{ id: string }>("/settings/:company/suppressions", suppression);
    const to = [good, { email: bad, name: "Meera" }];
    const id = accepted(await sendEmail(company, { to, subject: "Again", html: "<p>Ready &amp; done</p>" }));
    await arrived(good);
    must(await company.call("DELETE", `/settings/:company/suppressions/${listed.id}`), 200);
    const again = must(await resend(id), 202).body.data;
    expect(again).toMatchObject({ channel: "email", to: [bad], sent_count: 1, failed: [], resent_from: id });
    expect(again.id).not.toBe(id);
    expect(await arrived(bad)).toMatchObject({ subject: "Again", to_name: "Meera" });
    expect((await received(good)).length).toBe(1);
    expect(await readMessage(company, again.id)).toMatchObject({ resent_from: id });
    expect(await readMessage(company, id)).toMatchObject({ resent_from: null });
  });

  test("to all of them where none failed, by SMS and in the chat-app, by its provider's id too", async () => {
    const [sms, chat] = [newNumber(), newNumber()];
    const first = accepted(await sendSms(company, { to: sms, sender_id: "DEMOTR", template_id: "1107" }));
    const { provider_message_id } = await until(company, first, "submitted");
    expect(must(await resend(provider_message_id ?? ""), 202).body.data).toMatchObject({
      status: "queued",
      to: sms,
      resent_from: first,
    });
    const other = accepted(await sendChatapp(company, { to: chat }));
    await arrived(chat);
    await expect.poll(async () => (await resend(other)).status, { timeout: 10_000 }).toBe(202);
    await expect.poll(async () => (await received(chat)).length, { timeout: 10_000 }).toBe(2);
    await expect.poll(async () => (await received(sms)).length, { timeout: 10_000 }).toBe(2);
    const [one, two] = await received(sms);
    expect([one?.text, one?.from, one?.details]).toEqual([two?.text, two?.from, two?.details]);
  });

  test("not while it is on its way, nor without its content", async () => {
    const waiting = accepted(
      await sendSms(company, { send_at: new Date(Date.now() + 3_600_000).toISOString() }),
    );
    expect(await resend(waiting)).toMatchObject({ status: 409, body: { code: "invalid_status" } });
    must(await company.call("POST", `/messaging/:company/messages/${waiting}/cancel`), 200);
    must(await resend(waiting), 202);
    await company.rows("UPDATE messages SET content = NULL WHERE id = ?", waiting);
    expect(await resend(waiting)).toMatchObject({ status: 409, body: { code: "invalid_status" } });
  });

  test("by a key with the scope of its channel, and no other", async () => {
    const id = accepted(await sendEmail(company, { to: newAddress("bounced") }));
    await until(company, id, "failed");
    const key = await company.key("messages:sms:send", "messages:chatapp:send", "messages:write");
    expect(await resend(id, { key })).toMatchObject(
      refusal(403, "insufficient_scope", { required_scope: "messages:email:send" }),
    );
    expect((await resend(id, { key: await company.key("messages:write") })).status).toBe(403);
    expect((await resend(id, { key: await company.key("messages:email:send") })).status).toBe(202);
  });

  test("counts in the key's cap, and its replay does not", async () => {
    const id = accepted(await sendSms(company));
    await until(company, id, "submitted");
    const remaining = (answer: { headers: Headers }) =>
      Number(answer.headers.get("X-Messaging-Cap-Remaining"));
    const headers = { "Idempotency-Key": `resend-${id}` };
    const before = await sendSms(company);
    const again = await resend(id, { headers });
    expect(remaining(again)).toBe(remaining(before) - 1);
    expect((await resend(id, { headers })).body).toEqual(again.body);
    expect(remaining(await sendSms(company))).toBe(remaining(again) - 1);
  });
});
