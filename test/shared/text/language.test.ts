import { expect, test } from "vitest";
import { acceptedLanguage, knownLanguage } from "#shared/text/language.ts";

test.each([
  ["", "en"],
  ["fr-FR, ta", "en"],
  ["fr, hi;q=0.3, en;q=0.2", "hi"],
  ["en;q=0.2, hi-IN;q=0.3", "hi"],
  ["hi;q=0, en;q=0.1", "en"],
  ["*", "en"],
  ["HI", "hi"],
])("Accept-Language `%s` is read as %s", (header, language) => {
  expect(acceptedLanguage(header)).toBe(language);
});

test("a language is known by its tag alone", () => {
  expect(["hi-IN", "en", "hindi", "", null].map(knownLanguage)).toEqual([
    "hi",
    "en",
    undefined,
    undefined,
    undefined,
  ]);
});
