import { expect, test } from "vitest";
import * as z from "zod";
import { cleanMultilineText, cleanText, textAsSent } from "#shared/fields/text.ts";

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
  for (const unseen of ["\u200b", "\u3164", "\u2800", "\u00ad", "\u2060", "\ufe0f", "\u200d \u200b"]) {
    expect(code(name, unseen), unseen).toBe("too_small");
    expect(code(textAsSent({ max: 9 }), unseen), unseen).toBe("too_small");
  }
  // A joiner belongs to the spelling of a real name.
  expect(cleanText({ min: 1, max: 9 }).parse("क्\u200dष")).toBe("क्\u200dष");
});

test("accents, right-to-left text and emoji stay as they were written", () => {
  for (const text of ["e\u0301", "é", "שלום", "👍🏽"]) expect(name.parse(text)).toBe(text);
});

test("a line takes no control character, line break or lone surrogate inside it", () => {
  for (const character of [
    "\u0000",
    "\t",
    "\n",
    "\r",
    "\u001f",
    "\u007f",
    "\u0085",
    "\u2028",
    "\u202e",
    "\u2066",
    "\u2029",
    "\ud800",
    "\udc00",
  ]) {
    expect(code(name, `a${character}b`)).toBe("invalid_characters");
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
