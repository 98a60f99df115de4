import { type SQL, sql } from "drizzle-orm";
import { type JsonRow, jsonObject, once } from "#core/sql/json.ts";
import { moneyToWire } from "#shared/fields/numbers.ts";
import { timestampOrNull, timestampToWire } from "#shared/time/dates.ts";
import { leads } from "./tables.ts";

const shape = {
  id: leads.id,
  lead_number: leads.leadNumber,
  status: sql<"new" | "converted" | "lost">`${leads.status}`,
  source: leads.source,
  name: leads.name,
  email: leads.email,
  phone: leads.phone,
  company_name: leads.companyName,
  job_title: leads.jobTitle,
  website: leads.website,
  city: leads.city,
  state: leads.state,
  country: leads.country,
  pincode: leads.pincode,
  product_interest: leads.productInterest,
  budget: leads.budget,
  submission_count: leads.submissionCount,
  created_at: leads.createdAt,
  last_submitted_at: leads.lastSubmittedAt,
  closed_at: leads.closedAt,
  updated_at: leads.updatedAt,
};
/** A lead as the database holds it. */
export type LeadRow = JsonRow<typeof shape>;
const columns = once(() => jsonObject(shape));

/** The SELECT of leads; `tail` goes on after WHERE. */
export function selectLeads(tail: SQL): SQL<LeadRow> {
  return sql`SELECT ${columns()} AS snapshot FROM ${leads} WHERE ${tail}`;
}

/** A lead as its company sees it. */
export function renderLead(row: LeadRow) {
  return {
    ...row,
    budget: row.budget === null ? null : moneyToWire(row.budget),
    created_at: timestampToWire(row.created_at),
    last_submitted_at: timestampToWire(row.last_submitted_at),
    closed_at: timestampOrNull(row.closed_at),
    updated_at: timestampToWire(row.updated_at),
  };
}
