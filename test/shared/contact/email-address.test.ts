import { expect, test } from "vitest";
import { emailAddress, emailOf } from "#shared/contact/email-address.ts";

test.each([
  "a&b@example.com",
  "user%x@example.com",
  "o'brien+shop@mail.example.in",
  "a.b_c-d@x.co",
  "A@B.IO",
])("%s is an e-mail address", (text) => expect(emailAddress.parse(text)).toBe(text));

test.each([
  "",
  "a",
  "a@b",
  "@example.com",
  "a@",
  ".a@example.com",
  "a.@example.com",
  "a..b@example.com",
  "a@example..com",
  "a@-example.com",
  "a@example.com.",
  "a b@example.com",
  "a@exa mple.com",
  "a@b@example.com",
  "a\r\nBcc: b@example.com",
  '"a"@example.com',
  "a@[127.0.0.1]",
  "a@127.0.0.1",
  "a@127。0。0。1",
  "a@1.2.3",
  `${"a".repeat(250)}@x.io`,
])("%j is none", (text) => expect(emailAddress.safeParse(text).success).toBe(false));

test("has at most as many characters as the field takes", () => {
  const long = `${"a".repeat(244)}@example.in`;
  expect(emailOf(255).safeParse(long).success).toBe(true);
  expect(emailAddress.safeParse(long).success).toBe(false);
});

test("blanks and line ends around it are not of it", () => {
  for (const text of [" a@b.io", "a@b.io\u00a0", "a@b.io\r\n"])
    expect(emailAddress.parse(text)).toBe("a@b.io");
});
