import { randomUUID } from "node:crypto";
import type * as z from "zod";
import type { application, received } from "../../src/features/recruitment/applications/record.ts";
import type { jobSettings } from "../../src/features/recruitment/jobs/record.ts";
import { must, type TestCompany } from "../support/company.ts";
import { pdf } from "../support/documents.ts";
import type { Answer, Send } from "../support/http.ts";

export type Job = z.infer<typeof jobSettings.schema>;
export type Received = z.infer<typeof received.schema>;
export type ApplicationRecord = z.infer<typeof application.schema>;
type Fields = Record<string, unknown>;
export type Sent = [name: string, value: string | Uint8Array<ArrayBuffer>, filename?: string][];

export const JOBS = "/settings/:company/jobs";
export const APPLICATIONS = "/settings/:company/applications";

/** A job with all that one can have. */
export const FULL_JOB = {
  title: "Press operator",
  employment_type: "part_time",
  workplace_type: "on_site",
  location: { city: "Pune", state: "Maharashtra", country: "IN", postal_code: "411030" },
  description_html:
    '<p onclick="x()">Run <b>presses</b>.</p><script>alert(1)</script><p style="color:red">Safely.</p>',
  requirements_html: "<ul><li>ITI</li></ul>",
  skills: ["hydraulics", "PLC"],
  experience_min: 1,
  experience_max: 4,
  openings: 3,
  salary: { min: 20_000, max: 28_500.5, interval: "month" },
  closes_at: "2999-12-31",
};

/** A job that is open, where `fields` say nothing else. */
export async function newJob(company: TestCompany, fields: Fields = {}): Promise<Job> {
  const body = { title: "Welder", description_html: "<p>Join plates.</p>", ...fields };
  return company.make<Job>(JOBS, body);
}

export async function newDepartment(
  company: TestCompany,
  name: string,
  fields: Fields = {},
): Promise<number> {
  const body = { name, ...fields };
  return (await company.make<{ id: number }>("/settings/:company/departments", body)).id;
}

/** A form of these fields, files among them. */
export function formOf(fields: Sent): FormData {
  const form = new FormData();
  for (const [name, value, filename] of fields) {
    if (typeof value === "string") form.append(name, value);
    else form.append(name, new Blob([value]), filename ?? "resume.pdf");
  }
  return form;
}

export const APPLICANT = { first_name: "Asha", email: "asha@mail.example" };

/** Sends an application: these fields beside a name, an address and a resume. */
export function apply(
  company: TestCompany,
  slug: string,
  fields: Record<string, string> = {},
  { resume = pdf(), filename = "resume.pdf", ...send }: Send & Resume = {},
): Promise<Answer<Received>> {
  const sent: Sent = Object.entries({ ...APPLICANT, ...fields });
  return applyWith(company, slug, [...sent, ["resume", resume, filename]], send);
}

type Resume = { resume?: Uint8Array<ArrayBuffer>; filename?: string };

export function applyWith(
  company: TestCompany,
  slug: string,
  fields: Sent,
  send: Send = {},
): Promise<Answer<Received>> {
  return company.call("POST", `/recruitment/:company/jobs/${slug}/apply`, { body: formOf(fields), ...send });
}

export async function applied(company: TestCompany, slug: string, fields = {}, resume: Resume = {}) {
  const email = `${randomUUID()}@mail.example`;
  return must(await apply(company, slug, { email, ...fields }, resume), 201).body.data;
}

/** The only application that the company has. */
export async function onlyApplication(company: TestCompany): Promise<ApplicationRecord> {
  const data = await company.read<ApplicationRecord[]>(APPLICATIONS);
  const [application] = data;
  if (application === undefined || data.length > 1) throw new Error(`There are ${data.length} applications`);
  return application;
}

export function refusals({ body }: Answer<unknown>): string[] {
  return (body.errors ?? []).map(({ field, code }) => `${field} ${code}`);
}
