import { expect, test } from "vitest";
import { isProblemCode } from "#shared/problem.ts";
import { STRINGS as HINDI } from "../../src/widget/hi.ts";
import { STRINGS as ENGLISH } from "../../src/widget/strings.ts";

const blanks = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([blank]) => blank).toSorted();

test("Hindi has every text of the widget, with the same blanks", () => {
  for (const [name, text] of Object.entries(ENGLISH)) {
    const hindi = HINDI[name] ?? "";
    expect(hindi, name).toMatch(/[\u0900-\u097F]/);
    expect(blanks(hindi), name).toEqual(blanks(text));
  }
});

test("what it has besides are texts for the API's errors", () => {
  const others = Object.keys(HINDI).filter((name) => !(name in ENGLISH));
  // A code, or the code and the `limit` of 429s.
  const isText = (name: string) => isProblemCode(name) || name === "too_many_holdsown";
  expect(others.filter((name) => !isText(name))).toEqual([]);
  for (const name of others) expect(HINDI[name]).toMatch(/[\u0900-\u097F]/);
});
