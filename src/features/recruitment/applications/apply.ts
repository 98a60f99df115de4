import { and, eq, type SQL, sql } from "drizzle-orm";
import { Router } from "#api/operations/operation.ts";
import { companyToday } from "#core/calendar.ts";
import type { BackgroundCtx, CallCtx, FileCtx, IdCtx, OutsideCtx, ReadCtx, WriteCtx } from "#core/context.ts";
import type { FileRecord } from "#core/files/folder.ts";
import { withFile } from "#core/files/with-file.ts";
import { sha256Hex } from "#core/secrets/hash.ts";
import { columnsOf } from "#core/sql/columns.ts";
import { jsonQuery, parseRows } from "#core/sql/json.ts";
import { atomic, refuseWhen } from "#core/write/atomic.ts";
import { lastNumber, takeNumber } from "#core/write/number-series.ts";
import { read } from "#core/write/replay.ts";
import { lookAlike } from "#shared/look-alike.ts";
import { Problem } from "#shared/problem.ts";
import { timestampToWire } from "#shared/time/dates.ts";
import { HOUR_MS } from "#shared/time/durations.ts";
import { applications, jobs } from "#tables/recruitment";
import { isOpen } from "../jobs/open-job.ts";
import { JobParams } from "../jobs/schema.ts";
import { type ReceivedRow, received } from "./record.ts";
import { RESUMES } from "./resumes.ts";
import { ApplicationForm } from "./schema.ts";

const SERIES = "application";
const DIGITS = 5;
/** So many applications of one visitor within an hour are not flagged. */
const UNSUSPICIOUS = 10;

export const applicationRoutes = new Router("Recruitment", "/jobs").create(
  { applyForJob: apply },
  "/:slug/apply",
  {
    changes: ["application"],
    summary: "Apply for a job",
    description:
      "One application for each job and e-mail address; upper and lower case are equal. A second one is 409 with the `application_number` and `applied_at` of the first. An empty field counts as not sent.",
    params: JobParams,
    body: ApplicationForm,
    form: "always",
    record: received,
    problems: ["duplicate_application", "number_exhausted"],
  },
);

/** Takes an application for an open job. Throws 409 with the first one's number when the address has applied before. */
async function apply(
  ctx: WriteCtx & IdCtx & FileCtx & BackgroundCtx & OutsideCtx,
  { slug }: JobParams,
  form: ApplicationForm,
): Promise<ReceivedRow> {
  const emailNorm = form.email.toLowerCase();
  const sameAddress = sql`${jobs.slug} = ${slug} AND ${applications.emailNorm} = ${emailNorm}`;
  const [[job], [earlier]] = await read(ctx, [
    ctx.db
      .select({ id: jobs.id, title: jobs.title })
      .from(jobs)
      .where(and(eq(jobs.slug, slug), isOpen(ctx))),
    jsonQuery(ctx, received.select(sameAddress)),
  ]);
  if (job === undefined) throw new Problem("not_found");
  if (form._hp !== undefined) return unstored(ctx, slug, job.title);
  if (earlier !== undefined) throw duplicate(parseRows([earlier])[0]);
  const visitorHash = await visitorHashOf(ctx);
  return withFile(
    ctx,
    RESUMES,
    form.resume,
    (file) =>
      atomic(
        ctx,
        [
          refuseWhen(
            sql`NOT EXISTS (SELECT 1 FROM ${jobs} WHERE ${jobs.id} = ${job.id} AND ${isOpen(ctx)})`,
            "not_found",
          ),
          takeNumber(SERIES, yearOf(ctx)),
          insertApplication(ctx, job.id, form, file, visitorHash),
        ],
        received.select(eq(applications.operation, ctx.call.id)),
        {
          async "applications.job_id, applications.email_norm"() {
            const [rows] = await ctx.database.read([jsonQuery(ctx, received.select(sameAddress))]);
            return duplicate(parseRows(rows)[0]);
          },
        },
      ),
    (row) => row.resume_path,
  );
}

function insertApplication(
  ctx: CallCtx,
  jobId: number,
  form: ApplicationForm,
  file: FileRecord | null,
  visitorHash: string | null,
) {
  if (file === null) throw new Error("An application has no resume");
  return ctx.db.insert(applications).values({
    operation: ctx.call.id,
    applicationNumber: takenNumber(ctx),
    jobId,
    emailNorm: form.email.toLowerCase(),
    ...columnsOf(applications, form, ["resume", "skills", "_hp"]),
    skills: JSON.stringify(form.skills ?? []),
    status: "received",
    isFlagged: sql`(SELECT count(*) FROM ${applications} WHERE ${applications.jobId} = ${jobId}
      AND ${applications.visitorHash} = ${visitorHash} AND ${applications.appliedAt} > ${ctx.now - HOUR_MS}) >= ${UNSUSPICIOUS}`,
    visitorHash,
    resumePath: file.path,
    resumeName: file.name,
    resumeType: file.type,
    resumeSize: file.size,
    appliedAt: ctx.now,
    updatedAt: ctx.now,
  });
}

/** `APP-2026-00001`, just taken. */
function takenNumber(ctx: ReadCtx): SQL<string> {
  return sql`printf(${`${prefixOf(ctx)}%0${DIGITS}d`}, ${lastNumber(SERIES, yearOf(ctx))})`;
}

function prefixOf(ctx: ReadCtx): string {
  return `APP-${yearOf(ctx)}-`;
}

function yearOf(ctx: ReadCtx): string {
  return companyToday(ctx).slice(0, 4);
}

function duplicate(earlier: ReceivedRow | undefined): Problem {
  if (earlier === undefined) return new Problem("duplicate_application");
  const { application_number, applied_at } = earlier;
  return new Problem("duplicate_application", {
    members: { application_number, applied_at: timestampToWire(applied_at) },
  });
}

/** The answer to a bot, of which nothing is stored. */
function unstored(ctx: ReadCtx, slug: string, title: string): ReceivedRow {
  const { id, number } = lookAlike(prefixOf(ctx), DIGITS);
  return {
    id,
    application_number: number,
    job_slug: slug,
    job_title: title,
    applied_at: ctx.now,
    resume_path: "",
  };
}

/** A hash of the visitor's address that changes every day; null where the server that calls names no visitor. */
async function visitorHashOf(ctx: ReadCtx & OutsideCtx): Promise<string | null> {
  const { visitor } = ctx.client;
  if (visitor === null) return null;
  return (await sha256Hex(`${ctx.company.slug}|${companyToday(ctx)}|${visitor}`)).slice(0, 32);
}
