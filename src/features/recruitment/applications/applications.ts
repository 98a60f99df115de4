import { and, eq } from "drizzle-orm";
import { Router } from "#api/operations/operation.ts";
import type { CallCtx, FileCtx, WriteCtx } from "#core/context.ts";
import type { StoredFile } from "#core/files/folder.ts";
import { createdIn, equalTo, readNarrowed } from "#core/sql/narrowed.ts";
import { readOne } from "#core/sql/read-records.ts";
import { atomic, refuseIfNone } from "#core/write/atomic.ts";
import { read } from "#core/write/replay.ts";
import type { RecordParams } from "#shared/fields/ids.ts";
import { Problem } from "#shared/problem.ts";
import { applications } from "#tables/recruitment";
import { type ApplicationRow, application } from "./record.ts";
import { RESUMES } from "./resumes.ts";
import { ApplicationPatch, ApplicationQuery } from "./schema.ts";

export const applicationSettingsRoutes = new Router("Settings: Applications", "/applications", {
  record: application,
})
  .list(
    {
      listApplications: (ctx, _params, query) =>
        readNarrowed(
          ctx,
          { resource: "application", table: applications, select: application.select },
          query,
          [createdIn(ctx, applications.appliedAt, query)],
          equalTo(applications, query, "job_id", "status"),
        ),
    },
    "/",
    {
      summary: "List applications",
      query: ApplicationQuery,
      sort: (row) => [row.listed_at ?? row.applied_at, row.id],
    },
  )
  .get(
    { getApplication: (ctx, { id }) => readOne(ctx, application.select(eq(applications.id, id))) },
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
    application.select(here),
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
