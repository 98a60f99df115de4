import { describe, expect, test } from "vitest";
import { must, openCompany } from "../../support/company.ts";
import { expectSound } from "../../support/oracles.ts";
import { CAPTURE, LEADS, postForm, readLead } from "./leads.ts";

let last = 9_800_000_000;
const company = await openCompany();

/** A lead of a new person with these fields: what the answer warns of, the lead, and what was sent. */
async function capture(fields: object) {
  last += 1;
  const body = { name: "Meera", phone: String(last), ...fields };
  const answer = must(await company.call<{ id: number }>("POST", CAPTURE, { body }), 200);
  const { id, warnings } = answer.body.data as { id: number; warnings?: unknown };
  const { submissions, ...lead } = await readLead(company, id);
  return { warnings, lead, sent: submissions[0]?.fields ?? {} };
}

test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
  ["a country by its name", { country: "Australia" }, { country: "Australia" }],
  ["an amount as Indians write it", { budget: "1,00,000" }, { budget: 100_000 }],
  ["an amount with its sign", { budget: "₹50000" }, { budget: 50_000 }],
  ["an amount as on a cheque", { budget: "Rs. 12,50,000.50/-" }, { budget: 1_250_000.5 }],
  ["consent of another form", { consent: "Y" }, { consent: true }],
  ["consent as a number", { consent: 1 }, { consent: true }],
  ["a PIN as a number", { pincode: 560_001 }, { pincode: "560001" }],
  [
    "a number as a word",
    { utm_campaign: 2_027, company_name: 1 },
    { utm_campaign: "2027", company_name: "1" },
  ],
  ["a phone as a number", { phone: 9_123_456_780 }, { phone: "9123456780" }],
])("%s is taken, and nothing is warned of", async (_, fields, kept) => {
  const { warnings, sent } = await capture(fields);
  expect(warnings).toBeUndefined();
  expect(sent).toMatchObject(kept);
});

test.each([
  ["page_url", 2_000, `https://shop.example/?gclid=${"a".repeat(2_100)}`],
  ["referrer", 2_000, "x".repeat(2_001)],
  ["message", 5_000, "word ".repeat(1_100)],
  ["name", 255, "x".repeat(300)],
  ["company_name", 255, "x".repeat(256)],
  ["job_title", 120, "x".repeat(121)],
  ["subject", 255, "x".repeat(256)],
  ["utm_content", 255, "x".repeat(256)],
  ["consent_text", 1_000, "x".repeat(1_001)],
  ["website", 500, "x".repeat(501)],
  ["city", 100, `${"x".repeat(99)}😀😀`],
])("a long %s is cut to %i characters, with a warning", async (field, most, text) => {
  const { warnings, sent } = await capture({ [field]: text });
  expect(warnings).toEqual([{ field, code: "cut" }]);
  expect(sent[field]).toBe(
    text
      .slice(0, most)
      .replace(/[\ud800-\udbff]$/, "")
      .trim(),
  );
});

test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
  ["an amount in words", { budget: "5 to 10 lakh" }, {}],
  ["an amount in another currency", { budget: "$500" }, {}],
  ["an amount that another country would read otherwise", { budget: "1,5" }, {}],
  ["an amount below nothing", { budget: -1 }, {}],
  ["consent in other words", { consent: "when I call" }, {}],
  ["a source that is not listed", { source: "Facebook" }, { source: "website" }],
  ["an e-mail address with a slip", { email: "meera@home,example" }, { email: null }],
  ["an object for a text", { city: { name: "Pune" } }, { city: null }],
])("%s is kept under metadata, with a warning", async (_, fields, kept) => {
  const [[field, value] = []] = Object.entries(fields);
  const { warnings, lead, sent } = await capture(fields);
  expect(warnings).toEqual([{ field, code: "kept_in_metadata" }]);
  expect(sent.metadata).toEqual({ [String(field)]: value });
  expect(sent).not.toHaveProperty(String(field));
  expect(lead).toMatchObject(kept);
});

test("a source that was listed is stored, one of a form too", async () => {
  expect((await capture({ source: "social_media" })).lead).toMatchObject({ source: "social_media" });
  const form: [string, string][] = [
    ["source", "Facebook"],
    ["_mended", "[]"],
  ];
  expect(must(await postForm(company, form), 200).body.data).toMatchObject({
    warnings: [{ field: "source", code: "kept_in_metadata" }],
  });
});

test("what has no room under metadata is not kept, with a warning", async () => {
  const full = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`n${at}`, at]));
  const fields = { metadata: full, colour: "red", budget: "much", _elapsed_ms: "slow" };
  const { warnings, sent } = await capture(fields);
  expect(warnings).toEqual([
    { field: "budget", code: "not_kept" },
    { field: "_elapsed_ms", code: "not_kept" },
    { field: "colour", code: "not_kept" },
  ]);
  expect(sent.metadata).toEqual(full);
  const tooMuch = await capture({ metadata: { x: "x".repeat(8_200) } });
  expect(tooMuch.warnings).toEqual([{ field: "metadata", code: "not_kept" }]);
});

describe("a phone", () => {
  test.each([
    ...["9.1984512E+11", "'9.1984513E+11", "9.1984514 E+11", "98450xxxxx", "9845067891/92"],
    ...["Call 98450 67891 in 10-12 days", "+91 98450 678115", "9999999999"],
  ])("%j is no whole number, matches no person, and is kept as written", async (phone) => {
    const asha = await capture({ name: "Asha", phone, message: "one" });
    const bina = await capture({ name: "Bina", phone, message: "two" });
    const other = await capture({ name: "Chitra", phone, email: `${last}@home.example` });
    expect(new Set([asha.lead.id, bina.lead.id, other.lead.id]).size).toBe(3);
    for (const { warnings, lead } of [asha, bina, other]) {
      expect(warnings).toEqual([{ field: "phone", code: "no_phone_number" }]);
      expect(lead).toMatchObject({ phone, submission_count: 1 });
    }
    // The same again is a second click.
    await capture({ name: "Bina", phone, message: "two" });
    expect((await readLead(company, bina.lead.id)).submission_count).toBe(2);
    expect((await readLead(company, bina.lead.id)).submissions).toHaveLength(1);
    must(await company.call("GET", LEADS), 200);
    await expectSound(company);
  });

  test.each([
    ["+91 98450 12345 / +91 98450 54321", "+919845012345"],
    ["9845012345, 9845054321", "9845012345"],
    ["9845012345 or 9845054321", "9845012345"],
    ["1".repeat(31), null],
    ["98450 67811 x5", "9845067811"],
    ["+91 98450 67811 ext 12", "+919845067811"],
    ["call me", null],
    ["########", null],
  ])("%j is %j, and the text is kept under metadata", async (phone, number) => {
    const email = `${last}@home.example`;
    const { warnings, lead, sent } = await capture({ phone, email });
    expect(warnings).toEqual([{ field: "phone", code: "kept_in_metadata" }]);
    expect(lead).toMatchObject({ phone: number, email });
    expect(sent.metadata).toEqual({ phone });
  });
});
