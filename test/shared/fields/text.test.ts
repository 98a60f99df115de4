import { expect, test } from "vitest";
import * as z from "zod";
import { cleanMultilineText, cleanText, postalCode, secretText, textAsSent } from "#shared/fields/text.ts";

function code(schema: z.ZodType, value: unknown): unknown {
  const issue = schema.safeParse(value).error?.issues[0];
  return issue?.code === "custom" ? issue.params?.code : issue?.code;
}

const name = cleanText({ min: 1, max: 5 });

test("text is trimmed before its length is counted", () => {
  expect(name.parse("  Asha\t\n")).toBe("Asha");
  expect(name.parse("   12345   ")).toBe("12345");
  expect(code(name, "123456")).toBe("too_big");
});

test("text of blanks alone is too small where text is required, and empty where it is not", () => {
  expect(code(name, " \u00a0 ")).toBe("too_small");
  expect(cleanText({ max: 5 }).parse("  ")).toBe("");
});

test("a text of signs that do not show is none where text is required", () => {
  const marks = ["\u200b", "\u3164", "\u2800", "\u00ad", "\u2060", "\ufe0f", "\u200d \u200b", "\u{e0041}"];
  const signs = ["\uffff", "\ufdd0", "\u{1fffe}", "\ue000", "\ufffc", "\u{1d159}", "\u0301", "\u{e0101}"];
  for (const unseen of [...marks, ...signs]) {
    expect(code(name, unseen), unseen).toBe("too_small");
    expect(cleanText({ max: 9 }).parse(unseen), unseen).toBe("");
    expect(code(textAsSent({ max: 9 }), unseen), unseen).toBe("too_small");
  }
  // A joiner belongs to the spelling of a real name.
  expect(cleanText({ min: 1, max: 9 }).parse("क्\u200dष")).toBe("क्\u200dष");
});

test("accents, right-to-left text and emoji stay as they were written", () => {
  for (const text of ["e\u0301", "é", "שלום", "👍🏽"]) expect(name.parse(text)).toBe(text);
});

test("a line takes no control character, lone surrogate or change of direction inside it", () => {
  for (const character of [
    "\u0000",
    "\u001b",
    "\u001f",
    "\u007f",
    "\u0086",
    "\u202a",
    "\u202d",
    "\u202e",
    "\u2066",
    "\ud800",
    "\udc00",
  ]) {
    expect(code(name, `a${character}b`)).toBe("invalid_characters");
    expect(code(cleanText({ max: 9 }), character)).toBe(
      /[\u202a\u2066]/.test(character) ? undefined : "invalid_characters",
    );
  }
});

test("several lines keep tabs and line breaks, the latter in one spelling", () => {
  expect(cleanMultilineText({ max: 9 }).parse(" one\r\n\ttwo\n")).toBe("one\n\ttwo");
});

test("several lines take no control character but line ends, and no lone surrogate", () => {
  for (const character of ["\u0000", "\u001b", "\ud800"]) {
    expect(code(cleanMultilineText({ max: 9 }), `a${character}b`)).toBe("invalid_characters");
  }
});

test("text as sent keeps every blank and line end, but must show something", () => {
  const schema = textAsSent({ max: 12 });
  for (const text of ["  a\r\n\tb  ", "\u2028x", "x".repeat(12)]) expect(schema.parse(text)).toBe(text);
  for (const text of ["", " \n ", "x".repeat(13), "a\u0000", "\ud800"])
    expect(schema.safeParse(text).success).toBe(false);
});

test("the JSON Schema shows the lengths", () => {
  expect(z.toJSONSchema(name, { io: "input" })).toMatchObject({ type: "string", minLength: 1, maxLength: 5 });
});

test.each([
  ["a line end", "Asha\r\nRao", "Asha Rao"],
  ["a tab", "Asha\tRao", "Asha Rao"],
  ["a break of Word", "Asha\vRao", "Asha Rao"],
  ["a line separator", "Asha\u2028Rao", "Asha Rao"],
  ["a next-line sign", "Asha\u0085Rao", "Asha Rao"],
  ["blanks, one of which does not break", "Asha \u00a0 Rao", "Asha Rao"],
  ["marks of direction around it", "\u202b\u2068Asha Rao\u2069\u202c", "Asha Rao"],
  ["a soft hyphen and a blank without width", "As\u00adha Rao\u200b", "Asha Rao"],
  ["words in tags", "Asha\u{e0050}\u{e0061}\u{e0079} Rao\u{e0101}", "Asha Rao"],
  ["words in tags behind a flag", "\u{1f3f4}\u{e0070}\u{e0061}\u{e0079}\u{e007f}", "\u{1f3f4}"],
])("a line loses %s: only form", (_, sent, stored) => {
  expect(cleanText({ min: 1, max: 9 }).parse(sent)).toBe(stored);
});

test("a flag of tags, a heart in colour and the marks of a name in two directions stay", () => {
  const flag = "\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}";
  for (const text of [flag, "\u2764\ufe0f", "\u0639\u200e(5)"])
    for (const schema of [cleanText({ max: 20 }), cleanMultilineText({ max: 20 }), textAsSent({ max: 20 })])
      expect(schema.parse(text)).toBe(text);
});

test("no text hides words, and several lines are not turned", () => {
  const sent = "a\u{e0050}\n\u202e0001 sr diaP\u202c";
  expect(textAsSent({ max: 30 }).parse(sent)).toBe("a\n\u202e0001 sr diaP\u202c");
  expect(cleanMultilineText({ max: 30 }).parse(sent)).toBe("a\n0001 sr diaP\u202c");
});

test("a secret is kept as it is, and refused where a line end stands in it", () => {
  expect(secretText({ max: 9 }).parse(" a  b ")).toBe("a  b");
  expect(code(secretText({ max: 9 }), "a\nb")).toBe("invalid_characters");
});

test.each([
  ["560 001", "560001"],
  ["५६०००१", "560001"],
  ["560-001\u200b", "560001"],
  ["２１３५", "2135"],
  ["SW1A 1AA", "SW1A 1AA"],
  ["123 45", "123 45"],
])("the postal code %s is %s", (sent, stored) => {
  expect(postalCode({ max: 10 }).parse(sent)).toBe(stored);
});
