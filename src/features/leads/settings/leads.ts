import { and, eq, type SQL, sql } from "drizzle-orm";
import { atomic, refuseIfNone } from "#platform/atomic.ts";
import type { Ctx } from "#platform/context.ts";
import type { StoredFile } from "#platform/files.ts";
import { type JsonRow, jsonObject, jsonQuery, once, parseRows } from "#platform/json.ts";
import { read } from "#platform/operation-memory.ts";
import { readList, readListOf } from "#platform/read-records.ts";
import { timestampToWire } from "#shared/dates.ts";
import { moneyToWire } from "#shared/numbers.ts";
import { idBelow, type Listed, type Page } from "#shared/page.ts";
import { Problem } from "#shared/problem.ts";
import { leadSubmissions, leads } from "../tables.ts";
import type { IdParams, LeadClose, LeadQuery, SubmissionParams } from "./schema.ts";

const SHOWN_WITH_LEAD = 100;

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
type LeadRow = JsonRow<typeof shape>;
const columns = once(() => jsonObject(shape));

const submissionShape = {
  id: leadSubmissions.id,
  lead_id: leadSubmissions.leadId,
  fields: sql<Record<string, unknown>>`json(${leadSubmissions.content})`,
  attachment_name: leadSubmissions.attachmentName,
  attachment_type: leadSubmissions.attachmentType,
  attachment_size: leadSubmissions.attachmentSize,
  submitted_at: leadSubmissions.submittedAt,
};
type SubmissionRow = JsonRow<typeof submissionShape>;
const submissionColumns = once(() => jsonObject(submissionShape));

/** Leads, newest first. */
export async function listLeads(
  ctx: Ctx,
  _params: unknown,
  { status, source, page }: LeadQuery & { page: Page },
): Promise<Listed<LeadRow>> {
  const inStatus = status === undefined ? sql`` : sql`AND ${leads.status} = ${status}`;
  const fromSource = source === undefined ? sql`` : sql`AND ${leads.source} = ${source}`;
  const tail = sql`${leads.id} < ${idBelow(page)} ${inStatus} ${fromSource}
    ORDER BY ${leads.id} DESC LIMIT ${page.take}`;
  return readList(ctx, page, selectLeads(tail));
}

export async function getLead(
  ctx: Ctx,
  { id }: IdParams,
): Promise<LeadRow & { submissions: SubmissionRow[] }> {
  const [rows, submissions] = await read(ctx, [
    jsonQuery(ctx, selectLeads(eq(leads.id, id))),
    jsonQuery(ctx, selectSubmissions(id, { after: null, take: SHOWN_WITH_LEAD })),
  ]);
  const [lead] = parseRows(rows);
  if (lead === undefined) throw new Problem("not_found");
  return { ...lead, submissions: parseRows(submissions) };
}

/** What was sent of a lead, newest first. Throws 404 for a lead that is not there. */
export async function listLeadSubmissions(
  ctx: Ctx,
  { id }: IdParams,
  { page }: { page: Page },
): Promise<Listed<SubmissionRow>> {
  const lead = sql`SELECT 1 FROM ${leads} WHERE ${leads.id} = ${id}`;
  return readListOf(ctx, lead, page, selectSubmissions(id, page));
}

/** Closes a lead, or closes it otherwise; what the same person sends next opens a new one. */
export function closeLead(ctx: Ctx, { id }: IdParams, { status }: LeadClose): Promise<LeadRow> {
  const here = eq(leads.id, id);
  const closedAt = sql`coalesce(${leads.closedAt}, ${ctx.now})`;
  return atomic(
    ctx,
    [
      ctx.db.update(leads).set({ status, closedAt, updatedAt: ctx.now }).where(here),
      refuseIfNone("not_found"),
    ],
    selectLeads(here),
  );
}

export async function downloadAttachment(
  ctx: Ctx,
  { id, submission_id: submissionId }: SubmissionParams,
): Promise<StoredFile> {
  const { attachmentPath: path, attachmentName: name, attachmentType: type } = leadSubmissions;
  const [[found]] = await read(ctx, [
    ctx.db
      .select({ path, name, type })
      .from(leadSubmissions)
      .where(and(eq(leadSubmissions.id, submissionId), eq(leadSubmissions.leadId, id))),
  ]);
  if (found == null || found.path === null) throw new Problem("not_found");
  return ctx.files("leads").get({ path: found.path, name: found.name ?? "", type: found.type ?? "" });
}

export function renderLead(row: LeadRow) {
  return {
    ...row,
    budget: row.budget === null ? null : moneyToWire(row.budget),
    created_at: timestampToWire(row.created_at),
    last_submitted_at: timestampToWire(row.last_submitted_at),
    closed_at: row.closed_at === null ? null : timestampToWire(row.closed_at),
    updated_at: timestampToWire(row.updated_at),
  };
}

export function renderLeadWithSubmissions(row: LeadRow & { submissions: SubmissionRow[] }, ctx: Ctx) {
  return { ...renderLead(row), submissions: row.submissions.map((one) => renderSubmission(one, ctx)) };
}

export function renderSubmission(row: SubmissionRow, ctx: Ctx) {
  const { budget } = row.fields;
  const path = `/v1/settings/${ctx.company.slug}/leads/${row.lead_id}/submissions/${row.id}/attachment`;
  return {
    id: row.id,
    fields: typeof budget === "number" ? { ...row.fields, budget: moneyToWire(budget) } : row.fields,
    attachment:
      row.attachment_name === null
        ? null
        : {
            name: row.attachment_name,
            content_type: row.attachment_type ?? "",
            size: row.attachment_size ?? 0,
            url: ctx.origin + path,
          },
    submitted_at: timestampToWire(row.submitted_at),
  };
}

function selectLeads(tail: SQL): SQL<LeadRow> {
  return sql`SELECT ${columns()} AS snapshot FROM ${leads} WHERE ${tail}`;
}

function selectSubmissions(leadId: number, page: Page): SQL<SubmissionRow> {
  return sql`SELECT ${submissionColumns()} AS snapshot FROM ${leadSubmissions}
    WHERE ${leadSubmissions.leadId} = ${leadId} AND ${leadSubmissions.id} < ${idBelow(page)}
    ORDER BY ${leadSubmissions.id} DESC LIMIT ${page.take}`;
}
