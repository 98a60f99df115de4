import { and, eq } from "drizzle-orm";
import type { CallCtx, FileCtx } from "#core/context.ts";
import type { StoredFile } from "#core/files/folder.ts";
import { listNewestOf } from "#core/sql/read-records.ts";
import { read } from "#core/write/replay.ts";
import { Problem } from "#shared/problem.ts";
import { leadSubmissions, leads } from "#tables/leads";
import { ATTACHMENTS } from "./attachments.ts";
import { submission } from "./record.ts";
import type { SubmissionParams } from "./schema.ts";

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
