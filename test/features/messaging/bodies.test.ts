import { describe, expect, test } from "vitest";
import { must, openCompany } from "../../support/company.ts";
import { pagesOf } from "../../support/pages.ts";
import { refusedFields } from "../commerce.ts";
import {
  accepted,
  arrived,
  newAddress,
  newNumber,
  openWith,
  readMessage,
  sendChatapp,
  sendEmail,
  sendSms,
} from "./provider.ts";

const company = await openWith("msg91", "meta");
await company.call("PATCH", `/settings/:company/keys/${company.admin.client_id}`, {
  body: { messaging_rate_per_minute: 1_000 },
});

describe("an SMS", () => {
  test.each([
    [{ to: "1234567" }, "to"],
    [{ to: "1".repeat(16) }, "to"],
    [{ to: "+919845012345" }, "to"],
    [{ to: "919845012345\n" }, "to"],
    [{ message: "" }, "message"],
    [{ message: "x".repeat(1_001) }, "message"],
    [{ message: "a\u0000b" }, "message"],
    [{ sender_id: "TWELVE-CHARS" }, "sender_id"],
    [{ template_id: "1".repeat(65) }, "template_id"],
    [{ pe_id: "1".repeat(65) }, "pe_id"],
    [{ type: "urgent" }, "type"],
  ])("refuses %# at its field", async (fields, field) => {
    expect(Object.keys(refusedFields(await sendSms(company, fields)))).toEqual([field]);
  });

  test("is sent letter by letter: not trimmed, not normalised", async () => {
    const to = newNumber();
    const message = "  caf\u0065\u0301  \n ₹5 ";
    const id = accepted(await sendSms(company, { to, message, type: "promotional" }));
    expect(await arrived(to)).toMatchObject({ text: message, details: { route: "1" } });
    expect(await readMessage(company, id)).toMatchObject({
      encoding: "UCS-2",
      segments: 1,
      type: "promotional",
    });
  });
});

describe("a chat-app message", () => {
  const template = { name: "order_ready", language: "en_US", variables: ["Meera"] };
  test.each([
    [{ to: "91-98" }, "to"],
    [{ to: "1".repeat(21) }, "to"],
    [{ template: undefined }, "template"],
    [{ template: { ...template, name: "Order Ready" } }, "template.name"],
    [{ template: { ...template, language: "english" } }, "template.language"],
    [{ template: { ...template, variables: ["a\nb"] } }, "template.variables[0]"],
    [{ template: { ...template, variables: ["a\rb"] } }, "template.variables[0]"],
    [{ template: { ...template, variables: ["a    b"] } }, "template.variables[0]"],
    [{ template: { ...template, variables: ["\ud800"] } }, "template.variables[0]"],
    [{ type: "text", text: { body: "a\u0000b" } }, "text.body"],
    [{ type: "text", text: { body: "\ud800" } }, "text.body"],
    [{ template: { ...template, variables: [""] } }, "template.variables[0]"],
    [{ template: { ...template, variables: Array(61).fill("x") } }, "template.variables"],
    [{ type: "text" }, "text"],
    [{ type: "text", text: { body: "" } }, "text.body"],
    [{ type: "text", text: { body: "x".repeat(4_097) } }, "text.body"],
    [{ type: "image" }, "type"],
  ])("refuses %# at its field", async (fields, field) => {
    expect(Object.keys(refusedFields(await sendChatapp(company, fields)))).toEqual([field]);
  });

  test("is asked of the chat-app in its own shape; the other type's object is ignored", async () => {
    const to = newNumber();
    accepted(await sendChatapp(company, { to, template, text: { body: 7 } }));
    expect((await arrived(to)).details).toMatchObject({
      type: "template",
      template: {
        name: "order_ready",
        language: { code: "en_US" },
        components: [{ type: "body", parameters: [{ type: "text", text: "Meera" }] }],
      },
    });
    const plain = newNumber();
    accepted(await sendChatapp(company, { to: plain, template: { name: "hello", language: "en" } }));
    expect((await arrived(plain)).details.template).toEqual({ name: "hello", language: { code: "en" } });
  });
});

describe("an e-mail", () => {
  test.each([
    [{ to: [] }, "to"],
    [{ to: "nobody" }, "to"],
    [{ to: [newAddress(), "nobody"] }, "to[1]"],
    [{ to: [{ name: "Meera" }] }, "to[0]"],
    [{ to: Array.from({ length: 51 }, () => "same@asha.example") }, "to"],
    [{ to: 7 }, "to"],
    [{ subject: "" }, "subject"],
    [{ subject: "x".repeat(256) }, "subject"],
    [{ html: "" }, "html"],
    [{ html: "é".repeat(131_073) }, "html"],
  ])("refuses %# at its field", async (fields, field) => {
    expect(Object.keys(refusedFields(await sendEmail(company, fields)))).toEqual([field]);
  });

  test("has a subject of one line, so that no header follows it", async () => {
    const id = accepted(await sendEmail(company, { subject: "Ready\r\nBcc: x@example.com" }));
    expect(await readMessage(company, id)).toMatchObject({ subject: "Ready Bcc: x@example.com" });
  });

  test("is stored and sent clean, counts each address once, and takes 256 KiB", async () => {
    const [one, two] = [newAddress(), newAddress()];
    const html =
      '<table bgcolor="#fff"><tr><td onclick="x()">Hi<script>x()</script></td></tr></table><a href="javascript:x()">y</a>';
    const answer = await sendEmail(company, {
      to: [one, one.toUpperCase(), { email: two, name: 'A "B" <c>' }],
      html,
    });
    expect(must(answer, 202).body.data).toMatchObject({ to: [one, two], sent_count: 2 });
    const mail = await arrived(two);
    expect(mail.html).toContain(
      '<body><table bgcolor="#fff"><tr><td>Hi</td></tr></table><a>y</a></body></html>',
    );
    expect(mail.text).toBe("Hi\ny");
    expect(mail.to_name).toBe('A \\"B\\" <c>');
    const rows = await company.rows("SELECT content FROM messages WHERE channel = 'email'");
    expect(JSON.stringify(rows)).not.toContain("onclick");
    // Quotes are twice as long in the JSON.
    accepted(await sendEmail(company, { html: `<p>${'"'.repeat(256 * 1024 - 7)}</p>` }));
  });
});

test("messages are listed newest first, and by channel, status, recipient and time", async () => {
  const own = await openCompany();
  const [first, second] = [newAddress(), newAddress()];
  const suppressed = newAddress();
  await own.make("/settings/:company/suppressions", { email: suppressed });
  const ids: string[] = [];
  for (const to of [first, [first, second], suppressed]) ids.unshift(accepted(await sendEmail(own, { to })));
  const list = (query: string) =>
    own.read<{ id: string; created_at: string }[]>(`/messaging/:company/messages?${query}`);
  const [third = "", both = "", only = ""] = ids;
  expect((await list("")).map(({ id }) => id)).toEqual(ids);
  expect((await list(`to=${first}`)).map(({ id }) => id)).toEqual([both, only]);
  expect((await list("status=failed")).map(({ id }) => id)).toEqual([third]);
  expect(await list("channel=sms")).toEqual([]);
  const [{ created_at: last } = { created_at: "" }, { created_at: middle } = { created_at: "" }] =
    await list("");
  expect((await list(`created_from=${middle}&created_to=${last}`)).map(({ id }) => id)).toContain(both);
  expect((await list(`created_from=${last}&status=failed`)).map(({ id }) => id)).toEqual([third]);
  const [, rest] = await pagesOf(own, "/messaging/:company/messages", { limit: "2" });
  expect(rest?.map(({ id }) => id)).toEqual([only]);
});
