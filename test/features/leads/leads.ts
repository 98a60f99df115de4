import type * as z from "zod";
import type { CapturedLead, LeadWithSubmissions } from "../../../src/features/leads/leads/schema.ts";
import { must, type TestCompany } from "../../support/company.ts";
import type { Answer, Send } from "../../support/http.ts";
import { formOf, type Sent } from "../hiring.ts";

export type Captured = z.infer<typeof CapturedLead>;
export type LeadRecord = z.infer<typeof LeadWithSubmissions>;

export const CAPTURE = "/leads/:company/capture";
export const LEADS = "/settings/:company/leads";
export const ROHAN = { name: "Rohan Mehta", email: "rohan@mail.example" };

/** Sends a lead as JSON: these fields beside a name and an address. */
export function post(company: TestCompany, fields: object = {}, send: Send = {}): Promise<Answer<Captured>> {
  return company.call("POST", CAPTURE, { body: { ...ROHAN, ...fields }, ...send });
}

/** Sends a lead as a form, with these files. */
export function postForm(company: TestCompany, fields: Sent, send: Send = {}): Promise<Answer<Captured>> {
  return company.call("POST", CAPTURE, { body: formOf([...Object.entries(ROHAN), ...fields]), ...send });
}

export async function captured(company: TestCompany, fields: object = {}): Promise<Captured> {
  return must(await post(company, fields), 200).body.data;
}

export async function readLead(company: TestCompany, id: number): Promise<LeadRecord> {
  return must(await company.call<LeadRecord>("GET", `${LEADS}/${id}`), 200).body.data;
}
