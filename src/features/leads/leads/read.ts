import { and, eq, sql } from "drizzle-orm";
import type { CallCtx, FileCtx } from "#core/context.ts";
import type { StoredFile } from "#core/files/folder.ts";
import { jsonQuery, parseRows } from "#core/sql/json.ts";
import { createdIn, equalTo, type Placed, readNarrowed } from "#core/sql/narrowed.ts";
import { listNewestOf } from "#core/sql/read-records.ts";
import { read } from "#core/write/replay.ts";
import type { RecordParams } from "#shared/fields/ids.ts";
import type { Listed, Page } from "#shared/page.ts";
import { Problem } from "#shared/problem.ts";
import { leadSubmissions, leads } from "#tables/leads";
import { ATTACHMENTS } from "./attachments.ts";
import { type LeadRow, lead, type SubmissionRow, submission } from "./record.ts";
import type { LeadQuery, SubmissionParams } from "./schema.ts";

const SHOWN_WITH_LEAD = 100;

type LeadWithSubmissions = LeadRow & { submissions: SubmissionRow[] };

/** Leads: newest first, or by the order that the query names. */
export function listLeads(
  ctx: CallCtx,
  _params: unknown,
  query: LeadQuery & { page: Page },
): Promise<Listed<Placed<LeadRow>>> {
  return readNarrowed(
    ctx,
    { resource: "lead", table: leads, select: lead.select },
    query,
    [createdIn(ctx, leads.createdAt, query)],
    equalTo(leads, query, "status", "source"),
  );
}

/** A lead with the newest of what was sent of it. */
export async function getLead(ctx: CallCtx, { id }: RecordParams): Promise<LeadWithSubmissions> {
  const newest = sql`${leadSubmissions.leadId} = ${id} ORDER BY ${leadSubmissions.id} DESC LIMIT ${SHOWN_WITH_LEAD}`;
  const [rows, submissions] = await read(ctx, [
    jsonQuery(ctx, lead.select(eq(leads.id, id))),
    jsonQuery(ctx, submission.select(newest)),
  ]);
  const [found] = parseRows(rows);
  if (found === undefined) throw new Problem("not_found");
  return { ...found, submissions: parseRows(submissions) };
}

/** What was sent of a lead. */
export const listLeadSubmissions = listNewestOf(leads.id, submission, leadSubmissions.leadId);

/** The file that came with a submission. Throws 404 where none did. */
export async function downloadAttachment(
  ctx: CallCtx & FileCtx,
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
  return ctx.files(ATTACHMENTS).get({ path: found.path, name: found.name ?? "", type: found.type ?? "" });
}
