import { and, eq, type SQL, sql } from "drizzle-orm";
import type { CallCtx, FileCtx } from "#core/context.ts";
import type { StoredFile } from "#core/files/folder.ts";
import { readListOf } from "#core/sql/read-records.ts";
import { read } from "#core/write/replay.ts";
import type { RecordParams } from "#shared/fields/ids.ts";
import { idBelow, type Listed, type Page } from "#shared/page.ts";
import { Problem } from "#shared/problem.ts";
import { leadSubmissions, leads } from "#tables/leads";
import { ATTACHMENTS } from "./attachments.ts";
import { type SubmissionRow, submission } from "./record.ts";
import type { SubmissionParams } from "./schema.ts";

/** What was sent of a lead, newest first. Throws 404 for a lead that is not there. */
export async function listLeadSubmissions(
  ctx: CallCtx,
  { id }: RecordParams,
  { page }: { page: Page },
): Promise<Listed<SubmissionRow>> {
  const lead = sql`SELECT 1 FROM ${leads} WHERE ${leads.id} = ${id}`;
  return readListOf(ctx, lead, page, selectSubmissions(id, page));
}

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

/** The SELECT of a lead's submissions, newest first. */
export function selectSubmissions(leadId: number, page: Page): SQL<SubmissionRow> {
  return submission.select(sql`${leadSubmissions.leadId} = ${leadId} AND ${leadSubmissions.id} < ${idBelow(page)}
    ORDER BY ${leadSubmissions.id} DESC LIMIT ${page.take}`);
}
