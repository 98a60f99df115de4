import { describe, expect, test } from "vitest";
import { LeadForm } from "../../../src/features/leads/leads/schema.ts";
import { must, openCompany } from "../../support/company.ts";
import { document } from "../../support/documents.ts";
import { expectSound } from "../../support/oracles.ts";
import { refusals } from "../hiring.ts";
import { CAPTURE, captured, LEADS, postForm, ROHAN, readLead } from "./leads.ts";

const company = await openCompany();

describe("a lead", () => {
  test("is captured from JSON under a number, and kept as it was sent", async () => {
    const own = await openCompany();
    const known = {
      name: "Rohan Mehta",
      email: "Rohan@Mail.example",
      company_name: "Mehta Packaging",
      job_title: "Owner",
      source: "landing_page",
      website: "mehta.example",
      city: "Ahmedabad",
      state: "Gujarat",
      country: "IN",
      pincode: "380009",
      product_interest: "Presses",
      budget: 1_500_000.5,
    };
    const fields = {
      ...known,
      phone: "+91 (98980) 456-78",
      subject: "Quotation",
      message: "Two presses,\nplease.",
      page_url: "https://www.acme.example/contact",
      referrer: "https://search.example/",
      utm_source: "newsletter",
      consent: true,
      consent_text: "You may call me.",
      metadata: { form: "footer" },
    };
    const answer = must(await own.call("POST", CAPTURE, { body: fields }), 200);
    expect(answer.body.success).toBe(true);
    expect(answer.body.data).toEqual({
      id: 1,
      lead_number: "LEAD-000001",
      status: "new",
      duplicate: false,
      submission_count: 1,
      created_at: expect.stringMatching(/Z$/),
    });
    const { created_at } = answer.body.data;
    expect(await readLead(own, 1)).toEqual({
      id: 1,
      external_id: null,
      external_ids: [],
      lead_number: "LEAD-000001",
      status: "new",
      ...known,
      phone: "+919898045678",
      submission_count: 1,
      created_at,
      last_submitted_at: created_at,
      closed_at: null,
      updated_at: created_at,
      submissions: [{ id: 1, fields, attachment: null, submitted_at: created_at }],
    });
    await expectSound(own);
  });

  test("is captured from a form alike, its file with it", async () => {
    const own = await openCompany();
    const sent = await postForm(own, [
      ["phone", "98980 45678"],
      ["budget", "2500.5"],
      ["consent", "on"],
      ["metadata", '{"form":"footer"}'],
      ["message", ""],
      ["attachment", document("xlsx"), "../my order.xlsx"],
    ]);
    const { id } = must(sent, 200).body.data;
    const { submissions, ...lead } = await readLead(own, id);
    expect(lead).toMatchObject({ phone: "9898045678", budget: 2_500.5, source: "website" });
    expect(submissions).toMatchObject([
      {
        fields: {
          ...ROHAN,
          phone: "98980 45678",
          budget: 2_500.5,
          consent: true,
          metadata: { form: "footer" },
        },
        attachment: { name: "my-order.xlsx", size: document("xlsx").length },
      },
    ]);
    const file = must(await own.call("GET", `${LEADS}/${id}/submissions/1/attachment`), 200);
    expect(file.headers.get("Content-Disposition")).toBe('attachment; filename="my-order.xlsx"');
    expect(await own.files("leads")).toHaveLength(1);
  });

  test("needs a name and a way to answer", async () => {
    const call = (body: object) => company.call("POST", CAPTURE, { body });
    expect(refusals(await call({}))).toEqual([" required"]);
    expect(refusals(await call({ email: "a@b.example" }))).toEqual(["name required"]);
    expect(refusals(await call({ first_name: "A", email: "a@b.example" }))).toEqual(["name required"]);
    expect(refusals(await call({ name: "A" }))).toEqual(["email required"]);
    expect(refusals(await call({ name: "A", phone: "n/a" }))).toEqual(["email required"]);
    expect(refusals(await call({ name: "A", email: "nobody" }))).toEqual(["email invalid_format"]);
    expect(refusals(await call({ name: "A", phone: "1".repeat(31) }))).toEqual(["phone too_big"]);
    must(await call({ first_name: "Asha", last_name: "Rao", phone: "080-4123 456" }), 200);
    must(await call({ name: "A", email: "", phone: "080-4123 457" }), 200);
    const { data } = (await company.call<{ name: string; email: unknown }[]>("GET", LEADS)).body;
    expect(data).toMatchObject([{ name: "A", email: null }, { name: "Asha Rao" }]);
  });

  test("takes the bounds of its fields, and null for what is not there", async () => {
    const bounds = {
      name: "x".repeat(255),
      email: `${"a".repeat(245)}@b.example`,
      phone: "1".repeat(30),
      job_title: "x".repeat(120),
      message: "x".repeat(5_000),
      country: "I".repeat(60),
      page_url: "x".repeat(2_000),
      consent_text: "x".repeat(1_000),
      budget: 0,
      metadata: Object.fromEntries(Array.from({ length: 50 }, (_, n) => [n, n])),
    };
    await captured(company, bounds);
    const nothing = Object.fromEntries(
      Object.keys(LeadForm.out.shape).map((name) => [name, name in ROHAN ? "null@mail.example" : null]),
    );
    await captured(company, nothing);
    const empty = { budget: "", consent: "", metadata: " ", _elapsed_ms: "", source: "", attachment: "" };
    const { id } = await captured(company, {
      email: "empty@mail.example",
      phone: "  ",
      ...empty,
      colour: "",
    });
    expect((await readLead(company, id)).submissions).toMatchObject([
      { fields: { name: ROHAN.name, email: "empty@mail.example" } },
    ]);
    expect(Object.keys((await readLead(company, id)).submissions[0]?.fields ?? {})).toEqual([
      "name",
      "email",
    ]);
  });

  test("keeps the fields that this site alone has, whatever they are", async () => {
    const fields = {
      colour: "red",
      seats: 4,
      urgent: true,
      nothing: null,
      tags: ["a"],
      metadata: { seats: 5 },
    };
    const { id } = await captured(company, { email: "own@mail.example", ...fields });
    const [submission] = (await readLead(company, id)).submissions;
    expect(submission?.fields.metadata).toEqual({ colour: "red", urgent: true, tags: ["a"], seats: 5 });
  });
});
