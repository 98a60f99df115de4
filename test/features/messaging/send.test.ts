import { describe, expect, test } from "vitest";
import { must, openCompany } from "../../support/company.ts";
import {
  accepted,
  arrived,
  connect,
  happen,
  newAddress,
  newNumber,
  readMessage,
  sendChatapp,
  sendEmail,
  sendSms,
  until,
} from "./provider.ts";

const company = await openCompany({ email: "desk@asha.example" });

describe("an SMS", () => {
  test.each(["msg91", "exotel", "twilio", "http-sms"] as const)(
    "by %s is queued, submitted, and delivered once the carrier says so",
    async (kind) => {
      await connect(company, kind, { is_default: true });
      const to = newNumber();
      const answer = await sendSms(company, { to, message: "Your order is ready." });
      expect(answer.body.data).toMatchObject({ channel: "sms", status: "queued", to });
      const id = accepted(answer);
      const submitted = await until(company, id, "submitted");
      const sms = await arrived(to);
      expect(sms).toMatchObject({ text: "Your order is ready.", to });
      expect(submitted.provider_message_id).toBe(sms.id);
      expect(await happen(sms.id, "delivered")).toBe(200);
      const delivered = await readMessage(company, id);
      expect(delivered).toMatchObject({ status: "delivered", error: null, encoding: "GSM-7", segments: 1 });
      expect(await readMessage(company, sms.id)).toEqual(delivered);
    },
  );

  test("to a magic number of the sandbox ends as docs/messages.md says", async () => {
    await connect(company, "msg91", { is_default: true });
    const fates = [
      ["00001", "delivered", undefined],
      ["00002", "failed", "unreachable"],
      ["00003", "rejected", "dlt_rejected"],
    ] as const;
    const sent = fates.map(async ([ending, status, reason]) => {
      const { error } = await until(
        company,
        accepted(await sendSms(company, { to: newNumber(ending) })),
        status,
      );
      expect(error?.code).toBe(reason);
    });
    await Promise.all(sent);
  });
});

test("a chat-app message is sent, delivered, and read; a read alone says that it was delivered", async () => {
  await connect(company, "meta");
  const to = newNumber();
  const id = accepted(await sendChatapp(company, { to }));
  const message = await arrived(to);
  expect(await happen(message.id, "read")).toBe(200);
  const read = await readMessage(company, id);
  expect(read).toMatchObject({ status: "read", error: null, provider_message_id: message.id });
  expect(read.delivered_at).toBe(read.read_at);
});

describe("an e-mail", () => {
  test("goes by the platform's mailer in the company's name where it has none of its own", async () => {
    const [one, two] = [newAddress("one"), newAddress("two")];
    const answer = await sendEmail(company, {
      to: [one, { email: two, name: "Two" }],
      from: "evil@example.com",
    });
    expect(answer.body.data).toMatchObject({ status: "sent", to: [one, two], sent_count: 2, failed: [] });
    const mail = await arrived(two);
    expect(mail).toMatchObject({
      from: '"Asha Traders" <no-reply@platform.example>',
      to_name: "Two",
      subject: "Ready",
      html: expect.stringMatching(/<body><p>Your order is ready.<\/p><\/body><\/html>$/),
      text: "Your order is ready.",
    });
    const id = accepted(answer);
    expect(mail.reference).toBe(`${id}:1`);
    // It is found by what either copy is called there, and shows the first one's name.
    const first = await arrived(one);
    for (const name of [first.id, mail.id])
      expect(await until(company, name, "sent")).toMatchObject({
        id,
        to: [one, two],
        provider_message_id: first.id,
      });
  });

  test("keeps the ground of a button, and says that an address was left out", async () => {
    const button = '<a href="https://pay.example" style="background:#06c;color:#fff">Pay now</a>';
    const [whole, cut] = [newAddress(), newAddress()];
    const sent = await sendEmail(company, { to: whole, html: button });
    expect(must(sent, 202).body.data).not.toHaveProperty("warnings");
    expect((await arrived(whole)).html).toContain(button);
    for (const html of ['<a href="upi://pay?pa=a@b">Pay</a>', 'Hi <img src="data:image/png;base64,AA">'])
      expect(await sendEmail(company, { to: cut, html })).toMatchObject({
        body: { data: { warnings: ["address_left_out"] } },
      });
  });

  test.each(["resend", "postmark"] as const)(
    "by %s goes to each recipient apart, and a bounce suppresses",
    async (kind) => {
      await connect(company, kind, { is_default: true });
      const address = newAddress();
      const id = accepted(await sendEmail(company, { to: address }));
      const mail = await arrived(address);
      expect(await happen(mail.id, "failed")).toBe(200);
      expect(await until(company, id, "failed")).toMatchObject({ error: { code: "invalid_recipient" } });
      const again = must(await sendEmail(company, { to: [address.toUpperCase(), newAddress()] }), 202).body
        .data;
      expect(again).toMatchObject({
        sent_count: 1,
        failed: [{ email: address.toUpperCase(), code: "suppressed" }],
      });
    },
  );
});
