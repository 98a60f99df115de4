import { expect, test } from "vitest";
import * as z from "zod";
import { booleanText, decimalText, jsonText } from "#shared/fields/form-fields.ts";
import { slugify } from "#shared/text/slug.ts";

test("a decimal number in a form is an integer of its last place", () => {
  const years = decimalText({ max: 50, places: 2 });
  for (const [text, value] of [
    ["0", 0],
    ["3", 300],
    [" 3.5 ", 350],
    ["49.99", 4_999],
    ["50.00", 5_000],
    ["₹ 5", 500],
    ["Rs. 12.50/-", 1_250],
  ] as const)
    expect(years.parse(text)).toBe(value);
  for (const text of [
    "",
    "-1",
    "+1",
    "1e1",
    "1,5",
    "$5",
    "1,0000",
    ".5",
    "5.",
    "0x1",
    "NaN",
    "Infinity",
    "50.01",
    "1.001",
    "१",
  ])
    expect(years.safeParse(text).success, text).toBe(false);
});

test("a box in a form is ticked or not", () => {
  for (const text of ["true", "1", "on", "YES", "Y"]) expect(booleanText.parse(text)).toBe(true);
  for (const text of ["false", "0", "off", "No", "n"]) expect(booleanText.parse(text)).toBe(false);
  for (const text of ["", "maybe", "2"]) expect(booleanText.safeParse(text).success).toBe(false);
});

test("JSON in a form is what its schema says", () => {
  const names = jsonText(z.array(z.string()));
  expect(names.parse('["a"]')).toEqual(["a"]);
  for (const text of ["a", "[1]", "{}", ""]) expect(names.safeParse(text).success, text).toBe(false);
});

test("a title makes a slug", () => {
  expect(slugify("  Éclair & Chef -- (Night) ", 80)).toBe("eclair-chef-night");
  expect(slugify("a-".repeat(60), 80)).toBe("a-".repeat(40).slice(0, -1));
  expect(slugify("आचार्य", 80)).toBe("");
});
