import { and, eq } from "drizzle-orm";
import { Router } from "#api/operations/operation.ts";
import type { CallCtx, FileCtx, WriteCtx } from "#core/context.ts";
import type { StoredFile } from "#core/files/folder.ts";
import { createdIn, type Placed, readNarrowed } from "#core/sql/narrowed.ts";
import { readOne } from "#core/sql/read-records.ts";
import { atomic, refuseIfNone } from "#core/write/atomic.ts";
import { read } from "#core/write/replay.ts";
import type { RecordParams } from "#shared/fields/ids.ts";
import type { Listed, Page } from "#shared/page.ts";
import { Problem } from "#shared/problem.ts";
import { applications } from "#tables/recruitment";
import { type ApplicationRow, application, selectApplications } from "./record.ts";
import { RESUMES } from "./resumes.ts";
import { ApplicationPatch, ApplicationQuery } from "./schema.ts";

export const applicationSettingsRoutes = new Router("Settings: Applications", "/applications", {
  record: application,
})
  .list({ listApplications }, "/", {
    summary: "List applications",
    query: ApplicationQuery,
    sort: (row) => [row.listed_at ?? row.applied_at, row.id],
  })
  .get(
    { getApplication: (ctx, { id }) => readOne(ctx, selectApplications(eq(applications.id, id))) },
    "/:id",
    { summary: "Read an application" },
  )
  .patch({ updateApplication }, "/:id", {
    changes: ["application"],
    summary: "Move an application",
    description: "From any status to any other.",
    body: ApplicationPatch,
  })
  .file({ downloadResume }, "/:id/resume", { summary: "Download the resume of an application" });

/** Applications: newest first, or by the order that the query names. */
async function listApplications(
  ctx: CallCtx,
  _params: unknown,
  query: ApplicationQuery & { page: Page },
): Promise<Listed<Placed<ApplicationRow>>> {
  const { job_id: jobId, status } = query;
  return readNarrowed(
    ctx,
    { resource: "application", table: applications, select: selectApplications },
    query,
    [createdIn(ctx, applications.appliedAt, query)],
    jobId === undefined ? undefined : eq(applications.jobId, jobId),
    status && eq(applications.status, status),
  );
}

/** Moves an application to any status. `seen` is its last change, where another is refused. */
export function updateApplication(
  ctx: WriteCtx,
  { id }: RecordParams,
  { status }: ApplicationPatch,
  seen?: number,
): Promise<ApplicationRow> {
  const here = eq(applications.id, id);
  const asSeen = seen === undefined ? here : and(here, eq(applications.updatedAt, seen));
  return atomic(
    ctx,
    [
      ctx.db.update(applications).set({ status, updatedAt: ctx.now }).where(asSeen),
      refuseIfNone(seen === undefined ? "not_found" : "version_conflict"),
    ],
    selectApplications(here),
  );
}

/** The file that an applicant sent. */
export async function downloadResume(ctx: CallCtx & FileCtx, { id }: RecordParams): Promise<StoredFile> {
  const { resumePath: path, resumeName: name, resumeType: type } = applications;
  const [[resume]] = await read(ctx, [
    ctx.db.select({ path, name, type }).from(applications).where(eq(applications.id, id)),
  ]);
  if (resume === undefined) throw new Problem("not_found");
  return ctx.files(RESUMES).get(resume);
}
