import { expect, test } from "vitest";
import { withoutLinks } from "#shared/text/without-links.ts";

test.each([
  "evil.com",
  "EvilPrize.Com/win",
  "EVIL.COM",
  "evil.Com",
  "Evil.Example/WIN",
  "İ.evil.cOM",
  "1.2.3.4/x",
  "evil。com",
  "EVIL．COM/win",
  "EVIL\u00AD.COM",
  "WWW.Evil",
  "HTTPS://EVIL",
])("%s is left out of what a stranger typed", (link) => {
  expect(withoutLinks(`see ${link} now`)).toBe("see now");
});

test.each([
  "Md.Rahim Khan",
  "Dr. A.K. Sharma",
  "St.Kilda Rd. 12",
  "Kr.Indra",
  "Flat 2.1, No.5",
  "D/O Mohd.Ali",
])("%s is a name or an address, and stays", (text) => {
  expect(withoutLinks(text)).toBe(text);
});
