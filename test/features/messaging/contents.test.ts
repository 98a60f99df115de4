import { expect, test } from "vitest";
import { CONTENTS } from "#providers/messaging";
import { accepted, openWith, sendChatapp, sendEmail, sendSms } from "./provider.ts";

test("what each send stores is, member by member, what the job that sends it parses", async () => {
  const company = await openWith("msg91", "meta");
  const sent = {
    sms: [await sendSms(company, { sender_id: "DEMOTR", template_id: "1107" }), await sendSms(company)],
    chatapp: [
      await sendChatapp(company, { template: { name: "ready", language: "en", variables: ["5"] } }),
      await sendChatapp(company, { type: "text", text: { body: "Hello" } }),
    ],
    email: [await sendEmail(company)],
  };
  for (const channel of ["sms", "chatapp", "email"] as const) {
    for (const answer of sent[channel]) {
      const [row] = await company.rows("SELECT content FROM messages WHERE id = ?", accepted(answer));
      const stored = JSON.parse(String(row?.content));
      expect(CONTENTS[channel].parse(stored)).toEqual(stored);
    }
  }
});

test("a content that lacks a member, or has it by another name, is not parsed", () => {
  const sms = { text: "Ready", senderId: null, templateId: null, peId: null, type: "transactional" };
  expect(CONTENTS.sms.safeParse(sms).success).toBe(true);
  expect(CONTENTS.sms.safeParse({ ...sms, text: undefined, message: "Ready" }).success).toBe(false);
  expect(CONTENTS.chatapp.safeParse({ type: "text", template: {} }).success).toBe(false);
  expect(CONTENTS.email.safeParse({ subject: "Ready", html: "<p>Ready</p>" }).success).toBe(false);
});
