import { expect, test } from "vitest";
import { isPlainAddress } from "#shared/network/return-address.ts";

test.each([
  "https://shop.example.com/thanks?order=1&to=a@b.example#x",
  "http://localhost:5173/",
  "https://x.io",
])("%s may be returned to", (text) => expect(isPlainAddress(text)).toBe(true));

test.each([
  "https://shop.example.com@evil.example/",
  "https://user:secret@shop.example.com/",
  "https:user@shop.example.com/",
  "https://shop.example.com/\r\nSet-Cookie: a=b",
  "https://shop\t.example.com/",
  "https://shop.example.com/\u0000",
  "https://shop.example.com/\u0085",
])("%j may not", (text) => expect(isPlainAddress(text)).toBe(false));
