import { expect, test } from "vitest";
import { allowedOrigin } from "#tenancy/keys/origin-entry.ts";

test.each([
  ["https://book.example.com", "https://book.example.com"],
  ["HTTPS://Book.Example.COM", "https://book.example.com"],
  ["  https://book.example.com  ", "https://book.example.com"],
  ["https://book.example.com:443", "https://book.example.com"],
  ["https://x.io:8443", "https://x.io:8443"],
  ["https://münchen.example", "https://xn--mnchen-3ya.example"],
  ["https://*.school.in", "https://*.school.in"],
  ["https://*.School.in:444", "https://*.school.in:444"],
  ["http://localhost:5173", "http://localhost:5173"],
  ["http://127.0.0.1:3000", "http://127.0.0.1:3000"],
  ["https://localhost", "https://localhost"],
])("%s is kept as %s", (text, kept) => {
  expect(allowedOrigin.parse(text)).toBe(kept);
});

test.each([
  "",
  "*",
  "https://*",
  "https://*.com",
  "https://*.localhost",
  "https://a.*.com",
  "https://*.*.school.in",
  "https://school*.in",
  "http://book.example.com",
  "http://*.school.in",
  "ftp://book.example.com",
  "chrome-extension://abcdef",
  "null",
  "book.example.com",
  "https://book.example.com/",
  "https://book.example.com/path",
  "https://book.example.com?x",
  "https://book.example.com#x",
  "https://user@book.example.com",
  `https://${"a".repeat(250)}.com`,
])("%s is no origin", (text) => {
  expect(allowedOrigin.safeParse(text).success).toBe(false);
});
