import { expect, test } from "vitest";
import { mailDocument } from "#shared/html/mail-document.ts";

test("a mail says its language, its title and that it fits a phone", () => {
  const mail = mailDocument("Nuts & <bolts>", "<p>Ready</p>");
  expect(mail).toMatch(/^<!doctype html><html lang="en"><head><meta charset="utf-8">/);
  expect(mail).toContain('<meta name="viewport" content="width=device-width, initial-scale=1">');
  expect(mail).toContain("<title>Nuts &amp; &lt;bolts></title>");
  expect(mail).toContain("<body><p>Ready</p></body></html>");
});

test("a mail in Hindi says so", () => {
  expect(mailDocument("Booking", "<p>आपका पाठ पक्का है</p>")).toContain('<html lang="hi">');
});
