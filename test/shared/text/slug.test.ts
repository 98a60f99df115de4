import { expect, test } from "vitest";
import { companySlug, isCompanySlug } from "#shared/text/slug.ts";

test("a slug is 2 to 63 lower-case letters, digits and hyphens that does not begin with a hyphen", () => {
  for (const text of ["ab", "acme-tools", "9lives", "a-", "a".repeat(63)])
    expect(isCompanySlug(text), text).toBe(true);
});

test("anything else is no slug", () => {
  for (const text of [
    "",
    "a",
    "-ab",
    "Acme",
    "acme/other",
    "acme%2Fother",
    "../..",
    "ab\u0000",
    "ab\n",
    "аcme",
    "a".repeat(64),
  ]) {
    expect(isCompanySlug(text), text).toBe(false);
    expect(companySlug.safeParse(text).success, text).toBe(false);
  }
});
