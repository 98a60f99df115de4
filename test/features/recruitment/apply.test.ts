import { describe, expect, test } from "vitest";
import { must, openCompany } from "../../support/company.ts";
import { pdf } from "../../support/documents.ts";
import { expectSound } from "../../support/oracles.ts";
import { setClock } from "../commerce.ts";
import { APPLICATIONS, applied, apply, applyWith, newJob, onlyApplication, refusals } from "../hiring.ts";

const company = await openCompany();
const job = await newJob(company);

describe("an application", () => {
  test("is received under a number of the year, and kept as it was sent", async () => {
    const own = await openCompany({ timezone: "Asia/Kolkata" });
    await setClock(own, "2026-12-31T18:20:00Z");
    const { id: jobId, slug, title } = await newJob(own);
    const fields = {
      first_name: " Asha ",
      last_name: "Kulkarni",
      email: "Asha.K@Mail.example",
      phone: "+91 98220 12345",
      cover_letter: "Dear all,\r\nI weld.",
      total_experience: "3.5",
      expected_salary: "600000.50",
      notice_period_days: "30",
      linkedin_url: "https://www.linkedin.com/in/asha",
      skills: '["TIG","MIG"]',
      consent: "on",
      unknown_field: "ignored",
    };
    const answer = must(await apply(own, slug, fields, { filename: "Asha Kulkarni.PDF" }), 201);
    expect(answer.body.data).toEqual({
      id: expect.any(Number),
      application_number: "APP-2026-00001",
      job: { slug, title },
      status: "received",
      applied_at: expect.stringMatching(/Z$/),
    });
    expect(await onlyApplication(own)).toEqual({
      id: answer.body.data.id,
      application_number: "APP-2026-00001",
      job: { id: jobId, slug, title },
      status: "received",
      first_name: "Asha",
      last_name: "Kulkarni",
      email: "Asha.K@Mail.example",
      phone: "+91 98220 12345",
      cover_letter: "Dear all,\nI weld.",
      total_experience: 3.5,
      expected_salary: 600_000.5,
      notice_period_days: 30,
      linkedin_url: fields.linkedin_url,
      skills: ["TIG", "MIG"],
      consent: true,
      is_flagged: false,
      resume: {
        name: "Asha-Kulkarni.pdf",
        content_type: "application/pdf",
        size: pdf().length,
        url: expect.stringMatching(/\/resume$/),
      },
      applied_at: answer.body.data.applied_at,
      updated_at: answer.body.data.applied_at,
    });
    expect((await applied(own, slug)).application_number).toBe("APP-2026-00002");
    await setClock(own, "2026-12-31T18:30:00Z");
    expect((await applied(own, slug)).application_number).toBe("APP-2027-00001");
    await expectSound(own);
  });

  test("needs a name, an address and a resume; fields left empty, as a browser sends them, are not there", async () => {
    const own = await openCompany();
    const { slug } = await newJob(own);
    const empty = ["last_name", "phone", "total_experience", "skills", "linkedin_url", "consent"];
    const fields = {
      ...Object.fromEntries(empty.map((name) => [name, ""])),
      last_name: " ",
      cover_letter: "\n",
    };
    must(await apply(own, slug, fields), 201);
    expect(await onlyApplication(own)).toMatchObject({
      last_name: null,
      phone: null,
      cover_letter: null,
      total_experience: null,
      skills: [],
    });
    const nothing = await applyWith(own, slug, [
      ["first_name", " "],
      ["email", ""],
      ["resume", new Uint8Array(), ""],
    ]);
    expect(refusals(nothing)).toEqual(["first_name required", "email required", "resume required"]);
  });

  test.each([
    ["first_name", "x".repeat(101), "too_big"],
    ["first_name", "Asha\u0000", "invalid_characters"],
    ["first_name", "see http://spam.example", "address_not_accepted"],
    ["last_name", "x".repeat(101), "too_big"],
    ["last_name", "www.spam.example", "address_not_accepted"],
    ["phone", "ftp://spam.example", "address_not_accepted"],
    ["phone", "1".repeat(31), "too_big"],
    ["phone", "नंबर", "invalid_phone"],
    ["phone", "'9.19845E+11", "invalid_phone"],
    ["email", "asha", "invalid_format"],
    ["email", `${"a".repeat(246)}@b.example`, "too_big"],
    ["cover_letter", "x".repeat(5_001), "too_big"],
    ["total_experience", "50.1", "too_big"],
    ["total_experience", "1.125", "invalid_precision"],
    ["expected_salary", "lots", "invalid_number"],
    ["notice_period_days", "1.5", "invalid_precision"],
    ["linkedin_url", "javascript:alert(1)", "invalid_format"],
    ["linkedin_url", `https://l.example/${"x".repeat(483)}`, "too_big"],
    ["skills", "TIG", "not_json"],
    ["skills", '{"a":1}', "invalid_type"],
    ["skills", "[1]", "invalid_type"],
    ["skills", JSON.stringify(Array(51).fill("x")), "too_big"],
    ["skills", JSON.stringify(["x".repeat(101)]), "too_big"],
    ["consent", "maybe", "invalid_value"],
  ])("with %s %j is 422 %s", async (field, value, code) => {
    const answer = await apply(company, job.slug, { [field]: value });
    expect(answer.status).toBe(422);
    expect(refusals(answer)[0]).toMatch(new RegExp(`^${field}(\\[0\\])? ${code}$`));
  });

  test("takes the bounds of its fields", async () => {
    const bounds = {
      first_name: "x".repeat(100),
      last_name: "x".repeat(100),
      email: `${"a".repeat(245)}@b.example`,
      phone: "1".repeat(30),
      linkedin_url: `https://l.example/${"x".repeat(482)}`,
      cover_letter: "x".repeat(5_000),
      total_experience: "50",
      notice_period_days: "0",
      skills: JSON.stringify(Array(50).fill("x".repeat(100))),
    };
    await applied(company, job.slug, bounds);
    await applied(company, job.slug, { total_experience: "0" });
  });

  test("that names a field twice is 422", async () => {
    const answer = await applyWith(company, job.slug, [
      ["first_name", "Asha"],
      ["first_name", "Usha"],
      ["email", "a@b.example"],
      ["resume", pdf()],
    ]);
    expect(refusals(answer)).toEqual(["first_name invalid_type"]);
  });
});

test("the audit log has an application's id and nothing of its contents", async () => {
  const own = await openCompany();
  const { slug } = await newJob(own);
  const { id } = await applied(own, slug, { first_name: "Findable", email: "findable@mail.example" });
  must(await own.call("PATCH", `${APPLICATIONS}/${id}`, { body: { status: "in_review" } }), 200);
  const { body, text } = must(await own.call("GET", "/settings/:company/audit-log"), 200);
  expect(body.data).toMatchObject([
    { action: "updateApplication", record: String(id) },
    { action: "applyForJob", record: String(id) },
    { action: "createJob" },
  ]);
  expect(text.toLowerCase()).not.toContain("findable");
});
