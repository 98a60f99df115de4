import { expect, test } from "vitest";
import { countryName, readCountry, taxCountry } from "#shared/places/countries.ts";

test.each([
  ["IN", "IN", null],
  ["in", "IN", null],
  ["IND", "IN", null],
  ["IN-KA", "IN", "KA"],
  ["India", "IN", null],
  ["DEU", "DE", null],
  ["U.S.A", "US", null],
  ["u.k.", "GB", null],
  ["UAE", "AE", null],
  ["US-CA", "US", "CA"],
  ["Timor-Leste", "TL", null],
  ["Xyz", null, null],
  ["XX-KA", null, null],
  ["??", null, null],
  ["", null, null],
])("%s is read as %s, of which %s", (text, code, subdivision) => {
  expect(readCountry(text)).toEqual({ code, subdivision });
});

test("a country has its English name, and any other text stays as it is", () => {
  expect(["de", "AUS", "U.S.A", "Xyz", "<b>"].map(countryName)).toEqual([
    "Germany",
    "Australia",
    "United States",
    "Xyz",
    "<b>",
  ]);
});

test("a state of India makes a country that is not named India, and none that is", () => {
  expect([
    taxCountry(null, "Kerala"),
    taxCountry("Xyz", "Kerala"),
    taxCountry("US", "Kerala"),
    taxCountry("Xyz", "Texas"),
    taxCountry(null, null),
  ]).toEqual(["IN", "IN", "US", null, null]);
});
