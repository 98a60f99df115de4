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
  "evil.भारत/pay",
  "help@evil.भारत",
  "help@EVIL.PW",
  "evil\ufe0e.pw",
  "evil.\u{e0061}com",
])("%s is left out of what a stranger typed", (link) => {
  expect(withoutLinks(`see ${link} now`)).toBe("see now");
});

test.each(["Dr. A.K. Sharma", "Flat 2.1, No.5", "अ. क. शर्मा"])(
  "%s is a name or an address, and stays",
  (text) => {
    expect(withoutLinks(text)).toBe(text);
  },
);

test.each([
  ["Md.Rahim Khan", "Md. Rahim Khan"],
  ["St.Kilda Rd. 12", "St. Kilda Rd. 12"],
  ["D/O Mohd.Ali", "D/O Mohd. Ali"],
  ["डॉ.शर्मा", "डॉ. शर्मा"],
  ["三点。谢谢", "三点。 谢谢"],
  ["EVIL.PW", "EVIL. PW"],
  ["x.pw", "x. pw"],
  ["ব্লগ.বাংলা", "ব্লগ. বাংলা"],
  ["evil.இந்தியா", "evil. இந்தியா"],
  ["evil.ಭಾರತ", "evil. ಭಾರತ"],
  ["evil.ไทย", "evil. ไทย"],
  ["evil。中国", "evil。 中国"],
  ["evil.\u200bمصر", "evil. \u200bمصر"],
])("%s may be a name: a blank behind its dot makes it no link", (text, shown) => {
  expect(withoutLinks(text)).toBe(shown);
});
