import { describe, expect, test } from "vitest";
import { DEFAULTS } from "../../../src/features/notifications/defaults/defaults.ts";
import { ruleOf } from "../../../src/features/notifications/rules.ts";
import {
  faultOf,
  filled,
  filledHtml,
  LINK,
  variablesIn,
} from "../../../src/features/notifications/template.ts";

const KNOWN = ["customer.name", "booking.date"];

test.each([
  ["Dear {{customer.name}}, on {{ booking.date }}", null],
  ["{{customer.gstin}}", "{{customer.gstin}}"],
  ["Dear {{customer.name", "{{customer.name"],
  ["Dear customer.name}}", "}}"],
  ["{{customer.name}} {{ }}", "{{ "],
  ["{one brace} and {#var#}", null],
])("%s has the fault %s", (template, fault) => {
  expect(faultOf(template, KNOWN)).toBe(fault);
});

test("variables are replaced once, never evaluated, and escaped in HTML", () => {
  const values = { "customer.name": "<b>{{booking.date}}</b> & $& 'x'", "booking.date": "24 November" };
  expect(filled("{{customer.name}}, {{booking.date}}", values)).toBe(
    "<b>{{booking.date}}</b> & $& 'x', 24 November",
  );
  expect(filledHtml("<p>{{customer.name}}</p>", values)).toBe(
    "<p>&lt;b&gt;{{booking.date}}&lt;/b&gt; &amp; $&amp; &#39;x&#39;</p>",
  );
});

test("a line or a paragraph whose only variable is empty is left out, and nothing else", () => {
  const template =
    "<p><b>{{booking.date}}</b> ({{booking.zone}})<br>\nPlace: {{booking.place}}<br>\nBooking: {{booking.number}}</p><p>{{booking.payment}}</p><p>Hello</p>";
  const values = { "booking.date": "1 December", "booking.zone": "", "booking.number": "BK-1" };
  const empty = { ...values, "booking.place": "", "booking.payment": "" };
  expect(filledHtml(template, empty)).toBe("<p><b>1 December</b> ()<br>Booking: BK-1</p><p>Hello</p>");
  const full = { ...values, "booking.place": "Perth", "booking.payment": "Not paid." };
  expect(filledHtml(template, full)).toBe(
    "<p><b>1 December</b> ()<br>\nPlace: Perth<br>\nBooking: BK-1</p><p>Not paid.</p><p>Hello</p>",
  );
});

test("a paragraph that is a link to an empty variable is left out, and a link among words is not", () => {
  const link = '<a href="{{booking.receipt}}" style="color: red">See your receipt</a>';
  const template = `<p>${link}</p><p>Hello ${link}</p><p>Bye</p>`;
  expect(filledHtml(template, { "booking.receipt": "" })).toBe(
    '<p>Hello <a href="" style="color: red">See your receipt</a></p><p>Bye</p>',
  );
  const address = "https://api.example.com/b/coast/token/receipt";
  expect(filledHtml(template, { "booking.receipt": address })).toBe(
    template.replaceAll("{{booking.receipt}}", address),
  );
});

describe.each(Object.entries(DEFAULTS))("the default texts in %s", (_language, defaults) => {
  test("print no link but as the address of words", () => {
    for (const { html } of Object.values(defaults)) {
      const words = html.replaceAll(/href="[^"]*"/g, "");
      expect(variablesIn(words).filter((name) => LINK.test(name))).toEqual([]);
    }
  });

  test("name only variables of their rules", () => {
    for (const [name, { subject, html }] of Object.entries(defaults)) {
      const [rule = "", audience = ""] = name.split(".");
      const { to = [], variables = [] } = ruleOf(rule) ?? {};
      expect(to).toContain(audience);
      expect(faultOf(subject, variables)).toBeNull();
      expect(faultOf(html, variables)).toBeNull();
    }
  });
});

test("what is written in one language is written in the other, with the same variables", () => {
  const places = (text: string) => (text.match(/\{\{[^}]+\}\}/g) ?? []).sort();
  expect(Object.keys(DEFAULTS.hi)).toEqual(Object.keys(DEFAULTS.en));
  for (const [name, english] of Object.entries(DEFAULTS.en)) {
    const hindi = DEFAULTS.hi[name];
    expect(places(`${hindi?.subject}${hindi?.html}`)).toEqual(places(`${english.subject}${english.html}`));
  }
});
